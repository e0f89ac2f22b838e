package rpc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
)

// ClientOptions of a Client.
type ClientOptions struct {
	// Timeout of one call, from sending to the reply. Default 10 s. A context
	// that ends sooner is kept.
	Timeout time.Duration
}

// Validate refuses options that make no sense.
func (o *ClientOptions) Validate() error {
	if o.Timeout < 0 {
		return errors.New("rpc client options: Timeout must not be negative")
	}
	return nil
}

// Client calls gaming. It is safe for concurrent use and ends with its
// connection.
type Client struct {
	requester *broker.Requester
	timeout   time.Duration
}

// NewClient returns a client on conn.
func NewClient(conn *broker.Conn, opts ClientOptions) (*Client, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	if opts.Timeout == 0 {
		opts.Timeout = 10 * time.Second
	}
	requester := broker.NewRequester(conn, broker.PublisherOptions{Exchanges: []string{Exchange}})
	return &Client{requester: requester, timeout: opts.Timeout}, nil
}

// CreditDeposit asks gaming to post c and returns the receipt: the original one
// where it was posted before. The errors are those of the ledger
// (*walletcore.ConflictError, *walletcore.RefusedError, *walletcore.FieldError),
// *RetryError, *NotDeliveredError and *UnknownOutcomeError; the package
// documentation says what each of them means.
func (c *Client) CreditDeposit(ctx context.Context, credit walletcore.DepositCredit) (walletcore.Posted, error) {
	w, err := c.call(ctx, CreditKey, &credit, request{Credit: &credit})
	return w.Posted, failed("credit deposit", credit.DepositID, err)
}

// DebitWithdrawal asks gaming to take a withdrawal's amount. Errors are those
// of CreditDeposit.
func (c *Client) DebitWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	w, err := c.call(ctx, DebitKey, &o, request{Withdrawal: &o})
	return w, failed("debit withdrawal", o.WithdrawalID, err)
}

// ReverseWithdrawal asks gaming to give a withdrawal's amount back, or to close
// it where it was not debited. Errors are those of CreditDeposit.
func (c *Client) ReverseWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	w, err := c.call(ctx, ReverseKey, &o, request{Withdrawal: &o})
	return w, failed("reverse withdrawal", o.WithdrawalID, err)
}

// ChangeBonus asks gaming to grant, take back or convert a bonus. Errors are
// those of CreditDeposit.
func (c *Client) ChangeBonus(ctx context.Context, b walletcore.BonusChange) (walletcore.Posted, error) {
	w, err := c.call(ctx, BonusKey, &b, request{Bonus: &b})
	return w.Posted, failed("change bonus", b.BonusID, err)
}

func failed(what, id string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", what, id, err)
}

// call sends a valid order and waits for the answer.
func (c *Client) call(ctx context.Context, key string, order interface{ Validate() error }, r request) (walletcore.Withdrawn, error) {
	if err := order.Validate(); err != nil {
		return walletcore.Withdrawn{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	deadline, _ := ctx.Deadline()
	r.SchemaVersion = schemaVersion
	message, err := r.message(key, deadline)
	if err != nil {
		return walletcore.Withdrawn{}, err
	}
	answer, err := c.requester.Request(ctx, message)
	if err != nil {
		return walletcore.Withdrawn{}, outcomeOf(err)
	}
	return readReply(answer.Body)
}

// outcomeOf says what is known about a request without a reply.
func outcomeOf(err error) error {
	var (
		unsent   *broker.NotSentError
		returned *broker.ReturnedError
	)
	if errors.As(err, &unsent) || errors.As(err, &returned) || errors.Is(err, broker.ErrNacked) {
		return &NotDeliveredError{Err: err}
	}
	return &UnknownOutcomeError{Err: err}
}
