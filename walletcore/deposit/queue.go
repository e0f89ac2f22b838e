package deposit

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
)

// The lanes of the queue.
const (
	laneCredit = "credit"
	laneEffect = "effect"
	laneMatch  = "match"
)

// creditArgs is the job that credits a deposit: one for each, for ever.
type creditArgs struct {
	DepositID     string `json:"deposit_id" river:"unique"`
	CorrelationID string `json:"correlation_id"`
}

func (creditArgs) Kind() string { return "deposit_credit" }

// effectArgs is the job that publishes an effect of a deposit.
type effectArgs struct {
	DepositID     string `json:"deposit_id" river:"unique"`
	Effect        string `json:"effect" river:"unique"`
	CorrelationID string `json:"correlation_id"`
}

func (effectArgs) Kind() string { return "deposit_effect" }

// matchArgs is the job that looks for the deposit of a message again.
type matchArgs struct {
	MessageID string `json:"message_id" river:"unique"`
}

func (matchArgs) Kind() string { return "deposit_match" }

// register tells the queue what is worked here, and what may be lost.
func (s *Service) register() {
	q := s.opts.Queue
	job.Register(q, job.Worker[creditArgs]{
		Lane: laneCredit, Workers: s.opts.Workers, Work: s.credit, Failed: s.creditFailed,
	})
	job.Register(q, job.Worker[effectArgs]{
		Lane: laneEffect, Workers: s.opts.EffectWorkers, Work: s.publish, Failed: s.effectFailed,
	})
	// The try at the message's delivery was the first.
	job.Register(q, job.Worker[matchArgs]{
		Lane: laneMatch, Workers: s.opts.EffectWorkers, Work: s.matchAgain, Made: 1,
	})
	q.AddSweep(job.Sweep{Find: findLostCredits, Restore: s.restoreCredit, GiveUp: s.giveUpCredit})
	q.AddSweep(job.Sweep{Find: findLostEffects, Restore: s.restoreEffect, GiveUp: s.giveUpEffect})
	q.AddSweep(job.Sweep{Find: findLostMatches, Restore: s.restoreMatch, GiveUp: s.giveUpLostMatch})
}

func (s *Service) queueCredit(ctx context.Context, tx pgx.Tx, depositID, correlationID string) (int64, error) {
	args := creditArgs{DepositID: depositID, CorrelationID: correlationID}
	return s.opts.Queue.Insert(ctx, tx, args, river.InsertOpts{Queue: laneCredit})
}

func (s *Service) queueEffect(ctx context.Context, tx pgx.Tx, depositID, effect, correlationID string) (int64, error) {
	args := effectArgs{DepositID: depositID, Effect: effect, CorrelationID: correlationID}
	return s.opts.Queue.Insert(ctx, tx, args, river.InsertOpts{Queue: laneEffect})
}

// queueMatch has the message looked at again on the schedule of the credit:
// one attempt was made.
func (s *Service) queueMatch(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (int64, error) {
	return s.opts.Queue.Insert(ctx, tx, matchArgs{MessageID: n.MessageID}, river.InsertOpts{
		Queue: laneMatch, MaxAttempts: job.MaxAttempts - 1, ScheduledAt: s.opts.Queue.After(1),
	})
}
