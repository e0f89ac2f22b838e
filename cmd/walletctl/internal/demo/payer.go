package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// payer is whoever pays the withdrawals, by the contract of docs/running.md: it
// takes requests off the queue with the rights of the broker's user payouts,
// remembers their message ids, and tells what became of each.
type payer struct {
	*platform
	conn     *broker.Conn
	outcomes *broker.Publisher
	log      *os.File
	end      context.CancelFunc
	ended    chan error

	mu       sync.Mutex
	answers  map[string]outcome // by the message id of the request
	paid     map[string]int     // how often money left, by withdrawal
	repeated int                // requests that came again
	messages map[string]bool    // what it told, by what casino's inbox knows it by
	retold   int                // what it told again
}

var errDied = errors.New("the payer died after it decided and before it told")

func startPayer(ctx context.Context, p *platform) (*payer, error) {
	log, err := os.OpenFile(filepath.Join(p.dir, "payer.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	conn, err := broker.Dial(ctx, p.options.PayoutsAMQPURL.Reveal(), broker.Options{
		Name: "payer", Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	y := &payer{
		platform: p, conn: conn, log: log, ended: make(chan error, 1),
		outcomes: broker.NewPublisher(conn, broker.PublisherOptions{Exchanges: []string{"casino.outcomes"}}),
		answers:  map[string]outcome{}, paid: map[string]int{}, messages: map[string]bool{},
	}
	ctx, y.end = context.WithCancel(ctx)
	go func() {
		y.ended <- conn.Consume(ctx, broker.ConsumerOptions{Queue: "casino.payouts", DeadLetter: "casino.dlx"}, y.handle)
	}()
	return y, nil
}

// stop ends the payer and returns how it ended.
func (y *payer) stop(ctx context.Context) error {
	y.end()
	return errors.Join(<-y.ended, y.conn.Close(context.WithoutCancel(ctx)), y.log.Close())
}

// handle does what a request asks for once, and tells its outcome each time. An
// error leaves the request on the queue.
func (y *payer) handle(ctx context.Context, d broker.Delivery) error {
	var request withdrawal.Payout
	if err := json.Unmarshal(d.Body, &request); err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	answer, again := y.decide(d.ID, &request)
	if !again && strings.Contains(request.Destination, "dies") {
		return errDied
	}
	return y.tell(ctx, answer)
}

// decide pays or rejects what it sees for the first time, and returns the first
// time's answer after that.
func (y *payer) decide(id string, request *withdrawal.Payout) (answer outcome, again bool) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if answer, again = y.answers[id]; again {
		y.repeated++
		return answer, true
	}
	answer = outcomeOf(request)
	if answer.Status == "paid" {
		y.paid[request.WithdrawalID]++
	}
	y.answers[id] = answer
	return answer, false
}

// told reports the messages that casino's inbox has to have.
func (y *payer) told() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return len(y.messages)
}

// keep writes down that messages were told, of which the first is news.
func (y *payer) keep(ids ...string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, id := range ids {
		y.messages[id] = true
	}
	y.retold += len(ids) - 1
}
