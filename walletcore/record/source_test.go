package record_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

// folder is a directory with these files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

func zstandard(t testing.TB, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	defer w.Close()
	return string(w.EncodeAll([]byte(text), nil))
}

const twoRows = smallHeader + "ann,EUR,1,a\nbob,EUR,2,b\n"

func TestSource_IsDecompressedByWhatItHoldsNotByItsName(t *testing.T) {
	t.Parallel()
	for name, stored := range map[string]string{
		"a.csv":              twoRows,
		"named-wrong.csv.gz": twoRows,
		"b.csv":              gzipped(t, twoRows),
		"c.csv":              zstandard(t, twoRows),
		"members.csv":        gzipped(t, twoRows[:30]) + gzipped(t, twoRows[30:]),
		"frames.csv":         zstandard(t, twoRows[:30]) + zstandard(t, twoRows[30:]),
		"marked.csv":         gzipped(t, "\ufeff"+twoRows),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(folder(t, map[string]string{name: stored}), name)
			o := read(t, small(t), record.Path(path))
			require.Empty(t, o.end)
			require.Len(t, o.records, 2)
			require.Equal(t, record.Position{File: path, Line: 3}, o.records[1].Position)
			f := o.summary.Files[0]
			require.EqualValues(t, len(stored), f.Bytes)
			require.Equal(t, record.Digest(sha256.Sum256([]byte(stored))), f.SHA256, "of the bytes as stored")
		})
	}
}

func TestSource_CutOffIsNeverAWholeFile(t *testing.T) {
	t.Parallel()
	long := smallHeader + strings.Repeat("ann,EUR,1,a\nbob,EUR,2,b\n", 5000)
	for name, stored := range map[string]string{"gzip": gzipped(t, long), "zstd": zstandard(t, long)} {
		for cut := 4; cut < len(stored); cut += 1 + len(stored)/40 {
			o := readText(t, small(t), stored[:cut])
			require.Regexp(t, `^moves(:\d+)?: is cut off$`, o.end, "%s at %d", name, cut)
			require.Empty(t, o.faults)
			require.Empty(t, o.summary.Files)
		}
	}
	o := readText(t, small(t), gzipped(t, twoRows)+"not a member of it")
	require.Equal(t, "moves:4: gzip: invalid header", o.end)
	flipped := []byte(gzipped(t, twoRows))
	flipped[len(flipped)-6] ^= 1
	require.Equal(t, "moves:4: gzip: invalid checksum", readText(t, small(t), string(flipped)).end)
}

// failing is a stream that breaks once, and would go on.
type failing struct{ pieces []string }

func (f *failing) Read(p []byte) (int, error) {
	if len(f.pieces) == 0 {
		return 0, io.EOF
	}
	piece := f.pieces[0]
	f.pieces = f.pieces[1:]
	if piece == "" {
		return 0, io.ErrUnexpectedEOF
	}
	return copy(p, piece), nil
}

func TestSource_ThatBrokeDoesNotGoOn(t *testing.T) {
	t.Parallel()
	for _, cut := range []string{"ann,EUR,1", `ann,EUR,1,a"b`, `ann,EUR,1,"a`, "ann,EUR,1,a\n"} {
		o := read(t, small(t), record.Stream("moves", &failing{[]string{smallHeader + cut, "", "\nbob,EUR,2,b\n"}}))
		require.Regexp(t, `^moves:\d: is cut off$`, o.end)
		require.Empty(t, o.summary.Files)
	}
}

func TestSource_ADirectoryIsReadInTheOrderOfItsNames(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"2025-02.csv":    smallHeader + "ann,EUR,2,b\n",
		"2025-01.csv.gz": gzipped(t, smallHeader+"ann,EUR,1,a\n"),
		"2025-10.csv":    smallHeader + "ann,EUR,3,c\n",
		"README":         "not a file of rows",
	})
	require.NoError(t, os.Mkdir(filepath.Join(dir, "old.csv"), 0o700))
	o := read(t, small(t), record.Path(dir), record.Stream("stdin", strings.NewReader(smallHeader+"ann,EUR,4,d\n")))
	require.Empty(t, o.end)
	var ids []string
	for _, rec := range o.records {
		ids = append(ids, filepath.Base(rec.Position.File)+" "+rec.ID)
	}
	require.Equal(t, []string{"2025-01.csv.gz a", "2025-02.csv b", "2025-10.csv c", "stdin d"}, ids)
}

func TestSource_ThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"README": ""})
	for path, want := range map[string]string{
		filepath.Join(dir, "none.csv"): filepath.Join(dir, "none.csv") + ": no such file or directory",
		dir:                            dir + ": has no file of the declared name",
	} {
		_, err := record.Open(t.Context(), small(t), record.Path(path))
		require.EqualError(t, err, want)
	}
	m := small(t)
	m.Files = ""
	_, err := record.Open(t.Context(), m, record.Path(dir))
	require.ErrorIs(t, err, record.ErrNoGlob)
}

func TestProgress_CountsStoredBytes(t *testing.T) {
	t.Parallel()
	stored := gzipped(t, twoRows)
	dir := folder(t, map[string]string{"a.csv": stored, "b.csv": stored})
	reader, err := record.Open(t.Context(), small(t), record.Path(dir))
	require.NoError(t, err)
	done, size := reader.Progress()
	require.Zero(t, done)
	require.EqualValues(t, 2*len(stored), size)
	for range reader.Records() {
	}
	done, _ = reader.Progress()
	require.Equal(t, size, done)

	reader, err = record.Open(t.Context(), small(t), record.Path(dir), record.Stream("stdin", strings.NewReader(twoRows)))
	require.NoError(t, err)
	_, size = reader.Progress()
	require.EqualValues(t, -1, size)
}
