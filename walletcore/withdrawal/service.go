package withdrawal

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore/job"
)

// Service creates withdrawals, has them debited and paid, and applies what
// gateways say about their payouts. Create and Apply work at once; jobs are
// worked while its queue runs, by any number of processes on one database.
type Service struct {
	Store
	opts Options
}

// NewService checks the options, and registers with the queue what it works.
// Nothing runs yet.
func NewService(o Options) (*Service, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	opts := o.withDefaults()
	s := &Service{Store: Store{Pool: opts.Pool}, opts: opts}
	s.register()
	return s, nil
}

func (s *Service) now() time.Time { return s.opts.Queue.Now() }

// The lanes of the queue.
const (
	laneDebit    = "debit"
	lanePayout   = "payout"
	laneReversal = "reversal"
)

// debitArgs is the job that debits a withdrawal: one for each, for ever.
type debitArgs struct {
	WithdrawalID string `json:"withdrawal_id" river:"unique"`
}

func (debitArgs) Kind() string { return "withdrawal_debit" }

// payoutArgs is the job that asks for a withdrawal's payout.
type payoutArgs struct {
	WithdrawalID string `json:"withdrawal_id" river:"unique"`
}

func (payoutArgs) Kind() string { return "withdrawal_payout" }

// reversalArgs is the job that gives a withdrawal back.
type reversalArgs struct {
	WithdrawalID string `json:"withdrawal_id" river:"unique"`
}

func (reversalArgs) Kind() string { return "withdrawal_reversal" }

// register tells the queue what is worked here, and what may be lost.
func (s *Service) register() {
	q, n := s.opts.Queue, s.opts.Workers
	job.Register(q, job.Worker[debitArgs]{Lane: laneDebit, Workers: n, Work: s.debit, Failed: s.debitFailed})
	job.Register(q, job.Worker[payoutArgs]{Lane: lanePayout, Workers: n, Work: s.publish, Failed: s.publishFailed})
	job.Register(q, job.Worker[reversalArgs]{Lane: laneReversal, Workers: n, Work: s.reverse, Failed: s.reversalFailed})
	for _, step := range []step{debiting, payingOut, reversing} {
		q.AddSweep(s.sweep(step))
	}
}

func (s *Service) insert(ctx context.Context, tx pgx.Tx, lane string, args river.JobArgs) (int64, error) {
	return s.opts.Queue.Insert(ctx, tx, args, river.InsertOpts{Queue: lane})
}
