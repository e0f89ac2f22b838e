package record

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/walletctl/walletctl/walletcore"
)

// KindRule says what a source's word for a kind means. In the mapping it is the
// kind alone, skip, or a mapping of kind, sign, balance and namespace.
type KindRule struct {
	// Kind is empty where the rows are skipped.
	Kind walletcore.Kind
	// Skip leaves the rows out, counted.
	Skip bool
	// Sign is credit or debit, for a kind that says neither, where the sign is
	// by kind.
	Sign string
	// Balance is bonus where the source has one column for both balances and
	// means that one. Default: real.
	Balance string
	// Namespace replaces that of the mapping, where it is not nil.
	Namespace *string
}

const skipWord = "skip"

// UnmarshalYAML reads the short or the long form.
func (k *KindRule) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		k.Skip = node.Value == skipWord
		if !k.Skip {
			k.Kind = walletcore.Kind(node.Value)
		}
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if err := k.set(node.Content[i].Value, node.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (k *KindRule) set(key string, value *yaml.Node) error {
	switch key {
	case "kind":
		k.Kind = walletcore.Kind(value.Value)
	case "sign":
		k.Sign = value.Value
	case "balance":
		k.Balance = value.Value
	case "namespace":
		k.Namespace = &value.Value
	default:
		return &MappingError{Line: value.Line, Key: "kinds", Problem: "has an unknown key; known are kind, sign, balance, namespace"}
	}
	return nil
}

// check says what is wrong with the rule, or nothing.
func (k *KindRule) check() string {
	switch {
	case k.Skip:
		return ""
	case !slices.Contains(walletcore.Kinds, k.Kind) || k.Kind == walletcore.KindOpening:
		return "is neither skip nor a kind of movement"
	case k.Sign != "" && k.Sign != creditWord && k.Sign != debitWord:
		return "has a sign other than credit or debit"
	case k.Balance != "" && k.Balance != realWord && k.Balance != bonusWord:
		return "has a balance other than real or bonus"
	case k.Namespace != nil:
		return checkNamespace(*k.Namespace)
	}
	return ""
}

const (
	creditWord = "credit"
	debitWord  = "debit"
	realWord   = "real"
	bonusWord  = "bonus"
)

// signs returns 1 or -1 for the real and the bonus balance; 0 where neither
// the rule nor its kind says.
func (k *KindRule) signs() (real, bonus int64) {
	switch {
	case k.Sign == creditWord:
		return 1, 1
	case k.Sign == debitWord:
		return -1, -1
	}
	switch k.Kind {
	case walletcore.KindDeposit, walletcore.KindWithdrawalReversal, walletcore.KindWin, walletcore.KindRefund,
		walletcore.KindBonusGrant:
		return 1, 1
	case walletcore.KindWithdrawal, walletcore.KindBet, walletcore.KindWinReversal, walletcore.KindBonusForfeit:
		return -1, -1
	case walletcore.KindBonusConversion:
		return 1, -1
	}
	return 0, 0
}
