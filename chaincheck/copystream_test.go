package chaincheck_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
)

// stream is two rows: ("ab", null, ""), ("c").
var stream = []byte("PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x02xx" +
	"\x00\x03\x00\x00\x00\x02ab\xff\xff\xff\xff\x00\x00\x00\x00" +
	"\x00\x01\x00\x00\x00\x01c" + "\xff\xff")

func TestCopyStream_RowsDoNotDependOnHowTheyAreCutUp(t *testing.T) {
	t.Parallel()
	want := [][][]byte{{[]byte("ab"), nil, {}}, {[]byte("c")}}
	for size := 1; size <= len(stream); size++ {
		var got [][][]byte
		ended, err := chaincheck.SplitStream(slices.Collect(slices.Chunk(stream, size)), func(fields [][]byte) error {
			var row [][]byte
			for _, f := range fields {
				row = append(row, slices.Clone(f))
			}
			got = append(got, row)
			return nil
		})
		require.NoError(t, err)
		require.True(t, ended)
		require.Empty(t, cmp.Diff(want, got), "size %d", size)
	}
}

func TestCopyStream_CutShortIsNotTheEnd(t *testing.T) {
	t.Parallel()
	for size := range len(stream) {
		ended, err := chaincheck.SplitStream([][]byte{stream[:size]}, func([][]byte) error { return nil })
		require.NoError(t, err)
		require.False(t, ended, "size %d", size)
	}
}

func TestCopyStream_AnotherFormatIsRefused(t *testing.T) {
	t.Parallel()
	_, err := chaincheck.SplitStream([][]byte{[]byte("1\t2\t3\n4\t5\t6\n7\t8\t9\n0\t0\t0\n")}, func([][]byte) error { return nil })
	require.Error(t, err)
}
