package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/walletctl/walletctl/cmd/internal/metrics"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/rpc"
)

func counters(l *ledger.Stats, r *rpc.ServerStats) []metrics.Counter {
	outcome := func(name string) prometheus.Labels { return prometheus.Labels{"outcome": name} }
	const movements = "Movements asked for, by what became of them."
	const cases = "Cases that the ledger opened for a person, or could not."
	const requests = "Requests over RabbitMQ, by the answer."
	return []metrics.Counter{
		{Name: "ledger_movements_total", Help: movements, Labels: outcome("applied"), Value: &l.Applied},
		{Name: "ledger_movements_total", Help: movements, Labels: outcome("replayed"), Value: &l.Replayed},
		{Name: "ledger_movements_total", Help: movements, Labels: outcome("conflict"), Value: &l.Conflicts},
		{Name: "ledger_movements_total", Help: movements, Labels: outcome("refused"), Value: &l.Refused},
		{Name: "ledger_movements_total", Help: movements, Labels: outcome("brand_not_live"), Value: &l.NotLive},
		{Name: "ledger_wallets_opened_total", Help: "Wallets that this process asked to be born.", Value: &l.Opened},
		{Name: "ledger_retries_total", Help: "Transactions tried again.", Value: &l.Retries},
		{Name: "ledger_duplicates_total", Help: "Unique violations: the index had the last word.", Value: &l.Duplicates},
		{Name: "ledger_unknown_commits_total", Help: "Connections lost during COMMIT.", Value: &l.UnknownCommit},
		{Name: "ledger_unavailable_total", Help: "Batches given up because the database was away or busy.", Value: &l.Unavailable},
		{Name: "ledger_cases_total", Help: cases, Labels: outcome("opened"), Value: &l.CasesOpened},
		{Name: "ledger_cases_total", Help: cases, Labels: outcome("lost"), Value: &l.CasesLost},
		{Name: "rpc_requests_total", Help: requests, Labels: outcome("posted"), Value: &r.Posted},
		{Name: "rpc_requests_total", Help: requests, Labels: outcome("replayed"), Value: &r.Replayed},
		{Name: "rpc_requests_total", Help: requests, Labels: outcome("conflict"), Value: &r.Conflict},
		{Name: "rpc_requests_total", Help: requests, Labels: outcome("refused"), Value: &r.Refused},
		{Name: "rpc_requests_total", Help: requests, Labels: outcome("invalid"), Value: &r.Invalid},
		{Name: "rpc_requests_total", Help: requests, Labels: outcome("retry"), Value: &r.Retry},
		{Name: "rpc_requests_total", Help: requests, Labels: outcome("expired"), Value: &r.Expired},
		{Name: "rpc_requests_total", Help: requests, Labels: outcome("failed"), Value: &r.Failed},
		{Name: "rpc_replies_unheard_total", Help: "Replies that could not be sent.", Value: &r.Unheard},
	}
}
