package deposit

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/walletctl/walletctl/walletcore"
)

// The queues, apart so that a flood in one leaves the others alone.
const (
	queueCredit = "credit"
	queueEffect = "effect"
	queueMatch  = "match"
)

const (
	schema = "casino"
	// rescueFactor times the job's time-out, 2 minutes by default, is when the
	// job of a killed process is taken from it. River's default is an hour.
	rescueFactor = 4
	keepForever  = -1
	// recordTimeout bounds what is written after a job's own time is over.
	recordTimeout = 5 * time.Second
	fetchCooldown = 20 * time.Millisecond
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

// queueConfig sets what River's defaults get wrong for money: jobs that were
// given up are evidence and stay, and a killed process is noticed in minutes.
func (s *Service) queueConfig() *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &creditWorker{service: s})
	river.AddWorker(workers, &effectWorker{service: s})
	river.AddWorker(workers, &matchWorker{service: s})
	return &river.Config{
		Schema:                      schema,
		Workers:                     workers,
		MaxAttempts:                 maxAttempts,
		RetryPolicy:                 s.policy,
		JobTimeout:                  s.opts.JobTimeout,
		RescueStuckJobsAfter:        rescueFactor * s.opts.JobTimeout,
		DiscardedJobRetentionPeriod: keepForever,
		CancelledJobRetentionPeriod: keepForever,
		FetchCooldown:               min(fetchCooldown, s.opts.PollInterval),
		FetchPollInterval:           s.opts.PollInterval,
		PollOnly:                    s.opts.PollOnly,
		SoftStopTimeout:             s.opts.StopTimeout,
		Logger:                      s.opts.Logger,
		// casino does not own the tables and could not rebuild their indexes.
		ReindexerIndexNames: []string{},
		Queues: map[string]river.QueueConfig{
			queueCredit: {MaxWorkers: s.opts.Workers},
			queueEffect: {MaxWorkers: s.opts.EffectWorkers},
			queueMatch:  {MaxWorkers: s.opts.EffectWorkers},
		},
	}
}

// insertJob adds a job to the transaction and returns its id. Where the same
// job exists, in whatever state, it is that one's id and nothing is added.
func (s *Service) insertJob(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts river.InsertOpts) (int64, error) {
	opts.UniqueOpts = river.UniqueOpts{ByArgs: true, ByState: rivertype.JobStates()}
	res, err := s.jobs.InsertTx(ctx, tx, args, &opts)
	if err != nil {
		return 0, fmt.Errorf("queue %s: %w", args.Kind(), err)
	}
	return res.Job.ID, nil
}

func (s *Service) queueCredit(ctx context.Context, tx pgx.Tx, depositID, correlationID string) (int64, error) {
	args := creditArgs{DepositID: depositID, CorrelationID: correlationID}
	return s.insertJob(ctx, tx, args, river.InsertOpts{Queue: queueCredit})
}

func (s *Service) queueEffect(ctx context.Context, tx pgx.Tx, depositID, effect, correlationID string) (int64, error) {
	args := effectArgs{DepositID: depositID, Effect: effect, CorrelationID: correlationID}
	return s.insertJob(ctx, tx, args, river.InsertOpts{Queue: queueEffect})
}

// queueMatch has the message looked at again on the schedule of the credit:
// the try at its delivery counts as the first, so one attempt less is left.
func (s *Service) queueMatch(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (int64, error) {
	return s.insertJob(ctx, tx, matchArgs{MessageID: n.MessageID}, river.InsertOpts{
		Queue: queueMatch, MaxAttempts: maxAttempts - 1, ScheduledAt: s.now().Add(s.policy.wait(1)),
	})
}

// recordContext is for writing down what happened when the job's own context
// may be over.
func recordContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
}
