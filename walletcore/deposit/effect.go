package deposit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// EventDepositConfirmed names what an effect tells.
const EventDepositConfirmed = "deposit.confirmed"

// Effect is what a confirmation sets off elsewhere. It is published at least
// once, always with the same message id, by which its receiver knows it.
type Effect struct {
	MessageID     string           `json:"message_id"`
	Event         string           `json:"event"`
	Name          string           `json:"effect"` // whom it is for: promotions, affiliates, ...
	DepositID     string           `json:"deposit_id"`
	Brand         string           `json:"brand"`
	User          string           `json:"user"`
	Currency      string           `json:"currency"`
	Amount        walletcore.Money `json:"amount"`
	ConfirmedAt   time.Time        `json:"confirmed_at"`
	CorrelationID string           `json:"correlation_id"`
}

// effectOf makes the effect from what is stored only, so that it is the same
// each time.
func effectOf(d *Deposit, name string) Effect {
	return Effect{
		MessageID: EventDepositConfirmed + ":" + d.ID + ":" + name,
		Event:     EventDepositConfirmed, Name: name, DepositID: d.ID,
		Brand: d.Brand, User: d.User, Currency: d.Currency, Amount: d.Amount,
		ConfirmedAt: *d.ConfirmedAt, CorrelationID: d.CorrelationID,
	}
}

const insertEffect = `
insert into casino.effects (deposit_id, effect, job_id)
values ($1, $2, $3)`

// recordEffects writes each effect with the job that publishes it, in the
// transaction of the transition.
func (s *Service) recordEffects(ctx context.Context, tx pgx.Tx, depositID, correlationID string) error {
	for _, name := range s.opts.EffectNames {
		jobID, err := s.queueEffect(ctx, tx, depositID, name, correlationID)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertEffect, depositID, name, jobID); err != nil {
			return fmt.Errorf("record effect %s: %w", name, err)
		}
	}
	return nil
}

const selectUnpublished = `
select exists (
  select from casino.effects
  where deposit_id = $1 and effect = $2 and published_at is null)`

// publish makes one attempt.
func (s *Service) publish(ctx context.Context, j *river.Job[effectArgs]) error {
	id, name := j.Args.DepositID, j.Args.Effect
	var unpublished bool
	if err := s.Pool.QueryRow(ctx, selectUnpublished, id, name).Scan(&unpublished); err != nil {
		return fmt.Errorf("read effect: %w", err)
	}
	if !unpublished {
		return nil
	}
	d, err := readDeposit(ctx, s.Pool, selectDepositByID, id)
	if err != nil {
		return err
	}
	if s.opts.Effects == nil {
		return errors.New("no publisher of effects is configured")
	}
	if err := s.opts.Effects.PublishEffect(ctx, effectOf(&d, name)); err != nil {
		return fmt.Errorf("publish effect %s of %s: %w", name, id, err)
	}
	return s.markPublished(ctx, id, name)
}

const markEffectPublished = `
update casino.effects
set published_at = clock_timestamp(), attempts = attempts + 1
where deposit_id = $1 and effect = $2 and published_at is null`

func (s *Service) markPublished(ctx context.Context, id, name string) error {
	ctx, cancel := job.RecordContext(ctx)
	defer cancel()
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, markEffectPublished, id, name)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if err := addEvent(ctx, tx, Event{DepositID: id, Kind: EventEffectPublished, Detail: name}); err != nil {
			return err
		}
		_, err = casework.Close(ctx, tx, effectSubject(id, name), "published", CaseEffectExhausted)
		return err
	})
}

const markEffectFailed = `
update casino.effects
set attempts = attempts + 1, last_error = $3
where deposit_id = $1 and effect = $2 and published_at is null`

// effectFailed writes the failure down, and opens the case of the last one.
func (s *Service) effectFailed(ctx context.Context, j *river.Job[effectArgs], cause error) error {
	ctx, cancel := job.RecordContext(ctx)
	defer cancel()
	id, name := j.Args.DepositID, j.Args.Effect
	err := pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, markEffectFailed, id, name, pgtx.Clip(cause.Error()))
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if err := addEvent(ctx, tx, Event{
			DepositID: id, Kind: EventEffectFailed, Attempt: j.Attempt, Detail: name + ": " + cause.Error(),
		}); err != nil || j.Attempt < j.MaxAttempts {
			return err
		}
		return s.openEffectCase(ctx, tx, id, name, casework.AttemptCause(j.ID, j.Attempt), cause.Error())
	})
	return errors.Join(cause, err)
}

func (s *Service) openEffectCase(ctx context.Context, tx pgx.Tx, id, name, cause, lastError string) error {
	d, err := readDeposit(ctx, tx, selectDepositByID, id)
	if err != nil {
		return err
	}
	_, err = casework.Open(ctx, tx, casework.New{
		Brand: d.Brand, Subject: effectSubject(id, name), Kind: CaseEffectExhausted, Cause: cause,
		Detail: casework.Detail{Reason: "the effect could not be published", Error: lastError},
	})
	return err
}
