package ledger

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// MaxBatch is the greatest number of movements of one Post.
	MaxBatch = 256

	maxDetails = 16 << 10
	maxBets    = 256
)

// Movement asks for one change of one wallet.
type Movement struct {
	Wallet     walletcore.WalletKey
	Kind       walletcore.Kind
	ExternalID string // with Kind, the idempotency key: of a refund, the bet's; of a reversal, the result's
	// Amount in the main unit, not negative: its direction is the kind's. A
	// refund or a reversal may leave it zero; if given it must equal what is
	// undone.
	Amount walletcore.Money
	// Change is what an adjustment does to the balances, signed; one of the two
	// parts is zero. It has no Amount.
	Change     walletcore.Parts
	Bets       []string        // of a win: the bets that it resolves, by id; empty: those of its round
	Rules      Rules           // where contracts differ
	Actor      string          // the service or person that asks
	Reference  string          // optional; of a refund, its own id
	RoundID    string          // optional
	Details    json.RawMessage // optional JSON, kept byte for byte; no personal data
	OccurredAt time.Time       // when its producer says it happened
}

// Validate refuses a movement that could never be posted. The error is a
// *walletcore.FieldError.
func (m *Movement) Validate() error {
	if err := m.Wallet.Validate(); err != nil {
		return err
	}
	if err := walletcore.CheckID("external_id", m.ExternalID, walletcore.MaxExternalID); err != nil {
		return err
	}
	if err := walletcore.CheckID("actor", m.Actor, walletcore.MaxGivenID); err != nil {
		return err
	}
	if err := m.validateOptional(); err != nil {
		return err
	}
	if year := m.OccurredAt.Year(); year < 1970 || year > 9999 {
		return &walletcore.FieldError{Field: "occurred_at", Reason: "must be a time between 1970 and 9999"}
	}
	if err := checkDetails(m.Details); err != nil {
		return err
	}
	if err := m.Rules.Validate(); err != nil {
		return &walletcore.FieldError{Field: "rules", Reason: err.Error()}
	}
	return m.validateAmount()
}

func (m *Movement) validateOptional() error {
	for field, text := range map[string]string{"reference": m.Reference, "round_id": m.RoundID} {
		if text == "" {
			continue
		}
		if err := walletcore.CheckID(field, text, walletcore.MaxExternalID); err != nil {
			return err
		}
	}
	if len(m.Bets) > maxBets || (len(m.Bets) > 0 && m.Kind != walletcore.KindWin) {
		return &walletcore.FieldError{Field: "bets", Reason: "must be at most 256, and of a win"}
	}
	for _, id := range m.Bets {
		if err := walletcore.CheckID("bets", id, walletcore.MaxExternalID); err != nil {
			return err
		}
	}
	return nil
}

func (m *Movement) validateAmount() error {
	if m.Amount.Sign() < 0 {
		return &walletcore.FieldError{Field: "amount", Reason: "must not be negative"}
	}
	if !m.Amount.InRange() {
		return &walletcore.FieldError{Field: "amount", Reason: "is out of range: at most 10 digits before the point"}
	}
	switch m.Kind {
	case walletcore.KindDeposit, walletcore.KindWithdrawal:
		return walletcore.CheckPayable(m.Amount, m.Wallet.Currency)
	case walletcore.KindBonusGrant, walletcore.KindBonusForfeit, walletcore.KindBonusConversion:
		if m.Amount.IsZero() {
			return &walletcore.FieldError{Field: "amount", Reason: "must be greater than zero"}
		}
		return nil
	case walletcore.KindAdjustment:
		return m.validateChange()
	case walletcore.KindBet, walletcore.KindWin, walletcore.KindRefund,
		walletcore.KindWinReversal, walletcore.KindWithdrawalReversal:
		return nil
	}
	return &walletcore.FieldError{Field: "kind", Reason: "is not a kind of movement"}
}

func (m *Movement) validateChange() error {
	switch {
	case m.Change.Real.IsZero() == m.Change.Bonus.IsZero():
		return &walletcore.FieldError{Field: "change", Reason: "must be of either real or bonus, and not zero"}
	case !m.Change.Real.InRange() || !m.Change.Bonus.InRange():
		return &walletcore.FieldError{Field: "change", Reason: "is out of range: at most 10 digits before the point"}
	}
	return nil
}

func checkDetails(details json.RawMessage) error {
	switch {
	case len(details) == 0:
		return nil
	case len(details) > maxDetails:
		return &walletcore.FieldError{Field: "details", Reason: "is longer than 16 KiB"}
	case !json.Valid(details) || !utf8.Valid(details):
		return &walletcore.FieldError{Field: "details", Reason: "is not valid JSON"}
	}
	return nil
}

func (m *Movement) key() key { return key{m.Wallet.ID(), m.Kind, m.ExternalID} }

// global reports whether the movement's id is unique over all wallets.
func (m *Movement) global() bool { return m.Kind.Global() || m.Rules.GlobalIDs }

// stoppedByFreeze: a frozen wallet gives nothing out, and still takes what is
// the player's.
func stoppedByFreeze(kind walletcore.Kind) bool {
	return kind == walletcore.KindBet || kind == walletcore.KindWithdrawal
}
