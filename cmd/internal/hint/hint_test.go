package hint_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/hint"
)

func TestOf_FindsTheOutermostHint(t *testing.T) {
	t.Parallel()
	inner := hint.With(io.EOF, "look again")
	outer := hint.With(fmt.Errorf("read: %w", inner), "call somebody")

	require.Equal(t, "look again", hint.Of(fmt.Errorf("open: %w", inner)))
	require.Equal(t, "call somebody", hint.Of(outer))
	require.Equal(t, "look again", hint.Of(errors.Join(errors.New("other"), inner)))
	require.Empty(t, hint.Of(io.EOF))
	require.Empty(t, hint.Of(nil))
}

func TestWith_ChangesNeitherTextNorIdentity(t *testing.T) {
	t.Parallel()
	err := hint.With(io.EOF, "look again")

	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, "EOF", err.Error())
	require.NoError(t, hint.With(nil, "look again"))
}
