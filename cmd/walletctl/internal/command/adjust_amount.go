package command

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore"
)

// amountFlags say what changes, in exactly one way.
type amountFlags struct {
	amount, credit, debit string
	reverse               int64
	bonus                 bool
}

func (a *amountFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&a.amount, "amount", "", "signed amount in the main unit: --amount=-5.00 takes")
	flags.StringVar(&a.credit, "credit", "", "amount to give, without a sign")
	flags.StringVar(&a.debit, "debit", "", "amount to take, without a sign")
	flags.Int64Var(&a.reverse, "reverse", 0, "the exact opposite of the wallet's entry with this `seq`")
	flags.BoolVar(&a.bonus, "bonus", false, "of the bonus balance instead of real")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
}

var negative = regexp.MustCompile(`shorthand flag: .* in (-[0-9][0-9.,]*)$`)

// flagError tells who wrote a negative amount as an argument how to write it.
func flagError(err error) error {
	if found := negative.FindStringSubmatch(err.Error()); found != nil {
		return notAnArgument(found[1])
	}
	return &usageError{err: err}
}

func notAnArgument(text string) error {
	if _, err := walletcore.ParseMoney(text); err != nil {
		return usagef("", "an amount is no argument, and %w. Try: --debit 5.00 to take, --credit 5.00 to give, or --amount=-5.00", err)
	}
	plain := strings.TrimLeft(text, "+-")
	return usagef("", "an amount is no argument. Try: --debit %s to take it, --credit %s to give it, or --amount=%s", plain, plain, text)
}

var looksLikeAmount = regexp.MustCompile(`^[+-]?[0-9][0-9.,]*$`)

// check is of the arguments and flags, before anything is connected to.
func (a *amountFlags) check(cmd *cobra.Command, given []string) error {
	if n := len(given); (n == 2 || n == 4) && looksLikeAmount.MatchString(given[n-1]) {
		return notAnArgument(given[n-1])
	}
	if err := walletArgs(cmd, given); err != nil {
		return err
	}
	ways := chosen(cmd, "amount", "credit", "debit", "reverse")
	switch {
	case len(ways) != 1:
		return errors.New("say how much in one way: --credit 5.00, --debit 5.00, --amount=-5.00 or --reverse SEQ")
	case ways[0] == "reverse" && a.reverse < 1:
		return errors.New("--reverse is the seq of an entry, from 1; walletctl wallet history shows them")
	case ways[0] == "reverse":
		return nil
	}
	_, err := a.given()
	return err
}

// chosen are those of the flags that the command line has.
func chosen(cmd *cobra.Command, flags ...string) []string {
	var found []string
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			found = append(found, name)
		}
	}
	return found
}

// given is the signed amount of the flags.
func (a *amountFlags) given() (walletcore.Money, error) {
	for _, flag := range []struct {
		name, text string
		sign       int
	}{{"amount", a.amount, 0}, {"credit", a.credit, 1}, {"debit", a.debit, -1}} {
		if flag.text == "" {
			continue
		}
		if flag.sign != 0 && strings.ContainsAny(flag.text, "+-") {
			return walletcore.Money{}, fmt.Errorf("--%s has a sign of its own: write --%s %s", flag.name, flag.name, strings.TrimLeft(flag.text, "+-"))
		}
		money, err := walletcore.ParseMoney(flag.text)
		switch {
		case err != nil:
			return money, fmt.Errorf("--%s: %w", flag.name, err)
		case money.IsZero():
			return money, fmt.Errorf("--%s is zero", flag.name)
		case flag.sign < 0:
			money = money.Neg()
		}
		return money, nil
	}
	return walletcore.Money{}, errors.New("the amount is empty")
}

// change is what changes, by balance, and the entry that it reverses, if any.
func (a *amountFlags) change(ctx context.Context, desk *adjust.Desk, wallet uuid.UUID) (walletcore.Parts, *int64, error) {
	if a.reverse > 0 {
		change, err := a.opposite(ctx, desk, wallet)
		return change, &a.reverse, err
	}
	money, err := a.given()
	if a.bonus {
		return walletcore.Parts{Bonus: money}, nil, err
	}
	return walletcore.Parts{Real: money}, nil, err
}

// opposite undoes an entry. One adjustment is of one balance: where the entry
// moved both, the person says which.
func (a *amountFlags) opposite(ctx context.Context, desk *adjust.Desk, wallet uuid.UUID) (walletcore.Parts, error) {
	entry, err := desk.Entry(ctx, wallet, a.reverse)
	var field *walletcore.FieldError
	if errors.As(err, &field) {
		return walletcore.Parts{}, usagef("walletctl wallet history", "--reverse: the wallet has no entry %d", a.reverse)
	}
	if err != nil {
		return walletcore.Parts{}, err
	}
	real, bonus := entry.Real().Neg(), entry.Bonus().Neg()
	switch {
	case real.IsZero() && bonus.IsZero():
		return walletcore.Parts{}, usagef("walletctl wallet history", "entry %d moved nothing, there is nothing to reverse", a.reverse)
	case !real.IsZero() && !bonus.IsZero() && !a.bonus:
		return walletcore.Parts{}, usagef(
			fmt.Sprintf("--amount=%s --entry %d, and then --reverse %d --bonus for the other", short(real), a.reverse, a.reverse),
			"entry %d moved real and bonus: one adjustment is of one of them", a.reverse)
	case a.bonus && bonus.IsZero():
		return walletcore.Parts{}, usagef("leave --bonus out", "entry %d moved no bonus", a.reverse)
	case a.bonus || real.IsZero():
		return walletcore.Parts{Bonus: bonus}, nil
	}
	return walletcore.Parts{Real: real}, nil
}

// short writes an amount with two places, or as many as it has: what a person
// types.
func short(money walletcore.Money) string {
	text := money.String()
	point := strings.IndexByte(text, '.')
	return text[:point+3] + strings.TrimRight(text[point+3:], "0")
}

// signed is short with its sign always, and the currency.
func signed(money walletcore.Money, currency string) string {
	if money.Sign() > 0 {
		return "+" + short(money) + " " + currency
	}
	return short(money) + " " + currency
}
