package job_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
)

func TestClassify_ABrandThatIsNotLiveIsAClassOfItsOwnAndNotFinal(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("credit deposit d-1: %w", &walletcore.NotLiveError{Brand: "acme", State: walletcore.BrandImporting})
	require.Equal(t, job.ClassNotLive, job.Classify(err))
	require.False(t, job.ClassNotLive.Final(), "it is tried again")
	require.Equal(t, job.ClassUnknown, job.Classify(errors.New("anything else")))
}
