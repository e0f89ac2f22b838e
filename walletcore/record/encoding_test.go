package record_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEncoding_IsAsDeclared(t *testing.T) {
	t.Parallel()
	latin, windows := small(t, "encoding: latin-1"), small(t, "encoding: windows-1252")
	o := readText(t, latin, smallHeader+"J\xfcrgen,EUR,1,a\n")
	require.Equal(t, "Jürgen", o.records[0].User)
	o = readText(t, windows, smallHeader+"J\xfcrgen\x80,EUR,1,a\nx,EUR,1,\x81\nbob,EUR,1,b\n")
	require.Equal(t, "Jürgen€", o.records[0].User)
	require.Equal(t, []string{"moves:3:4: id \"\ufffd\" holds bytes that are not of the declared encoding"}, o.faults)
	require.Len(t, o.records, 2)

	o = readText(t, small(t), smallHeader+"J\xfcrgen,EUR,1,a\nbob,EUR,1,b\n")
	require.Equal(t, []string{`moves:2:1: user "J\xfcrgen" holds bytes that are not of the declared encoding`}, o.faults)
	require.Len(t, o.records, 1)
	o = readText(t, small(t), smallHeader+"日本 é,EUR,1,a\n")
	require.Equal(t, "日本 é", o.records[0].User)
}

func TestEncoding_AByteOrderMarkOfAnotherOneEndsTheFile(t *testing.T) {
	t.Parallel()
	const want = "moves: begins with the byte order mark of another encoding than the declared one"
	require.Equal(t, want, readText(t, small(t), "\xff\xfeu\x00s\x00").end)
	require.Equal(t, want, readText(t, small(t), "\xfe\xff\x00u\x00s").end)
	require.Equal(t, want, readText(t, small(t, "encoding: latin-1"), "\ufeff"+twoRows).end)
	require.Equal(t, want, readText(t, small(t), gzipped(t, "\xff\xfeu\x00s\x00")).end)
}

func TestEncoding_EverySplitOfACharacterIsRead(t *testing.T) {
	t.Parallel()
	// The pieces in which a file is read end within characters.
	for pad := range 4 {
		text := smallHeader
		for len(text) < 200_000 {
			text += "ä€🎰"[:9] + ",EUR,1," + "padding"[:4+pad] + "\n"
		}
		o := readText(t, small(t), text)
		require.Empty(t, o.faults)
		require.Equal(t, "ä€🎰", o.records[len(o.records)-1].User)
	}
}
