package record_test

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

const walletctlHeader = "brand,user,currency,kind,id,real,bonus,real_after,bonus_after,reference,round,occurred_at\n"

// generated is n rows of a mapping, made while they are read, so that only the
// reader's memory counts.
func generated(n int, head string, line func(i int) string) io.Reader {
	r, w := io.Pipe()
	go func() {
		buffered := bufio.NewWriterSize(w, 1<<16)
		_, err := buffered.WriteString(head)
		for i := 0; i < n && err == nil; i++ {
			_, err = buffered.WriteString(line(i))
		}
		if err == nil {
			err = buffered.Flush()
		}
		w.CloseWithError(err)
	}()
	return r
}

var firstBet = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

func csvLine(i int) string {
	return fmt.Sprintf("acme,player-%06d,EUR,bet,games:tx-%010d,-%d.%02d,0.00,%d.%02d,0.00,,round-%08d,%s\n",
		i%100_000, i, i%50, i%100, i%5000, i%100, i/3, firstBet.Add(time.Duration(i)*time.Second).Format(time.RFC3339))
}

func jsonLine(i int) string {
	return fmt.Sprintf(`{"brand":"acme","user":"player-%06d","currency":"EUR","kind":"bet","id":"games:tx-%010d",`+
		`"real":"-%d.%02d","bonus":"0.00","round":"round-%08d","occurred_at":"%s"}`+"\n",
		i%100_000, i, i%50, i%100, i/3, firstBet.Add(time.Duration(i)*time.Second).Format(time.RFC3339))
}

func debitCreditLine(i int) string {
	return fmt.Sprintf("acme;p%06d;EUR;Stake;%d;%d,%02d;;1.%03d,00;;r%d;%s;games\n",
		i%100_000, i, i%50, i%100, i%1000, i/3, firstBet.Add(time.Duration(i)*time.Second).Format("02.01.2006 15:04:05"))
}

func benchmarkRows(b *testing.B, name, head string, line func(int) string) {
	const rows = 100_000
	mapping, err := record.Named(name)
	require.NoError(b, err)
	mapping.Footer = nil
	var text strings.Builder
	text.WriteString(head)
	for i := range rows {
		text.WriteString(line(i))
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	before := cpu(b)
	for b.Loop() {
		reader, err := record.Open(b.Context(), mapping, record.Stream("generated", strings.NewReader(text.String())))
		require.NoError(b, err)
		for _, err := range reader.Records() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(rows*b.N)/(cpu(b)-before).Seconds(), "rows/cpu-s")
}

// cpu is the processor time of this process, which says on a busy machine what
// an idle one would do. It counts the collector's threads too.
func cpu(b *testing.B) time.Duration {
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func BenchmarkRecords_CSV(b *testing.B) { benchmarkRows(b, "walletctl", walletctlHeader, csvLine) }

func BenchmarkRecords_NDJSON(b *testing.B) { benchmarkRows(b, "walletctl-ndjson", "", jsonLine) }

func BenchmarkRecords_DebitCredit(b *testing.B) {
	benchmarkRows(b, "ledger-debit-credit",
		"site;account;currency;type;voucher;debit;credit;balance;text;round;booked;provider\n", debitCreditLine)
}
