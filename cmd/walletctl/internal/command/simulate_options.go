package command

import (
	"strconv"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
	"github.com/walletctl/walletctl/walletcore/signature"
)

// parse makes the options, and refuses those that cannot be played.
func (c *simulateFlags) parse(f *factory) (simulator.Options, error) {
	o := c.options
	if len(o.Users) > 0 {
		o.Players = 0
	}
	if o.Cut == 0 {
		o.Cut = -1
	}
	if c.unit != -1 {
		o.Unit = &c.unit
	}
	o.Clock = simulator.FastClock{Speed: c.speed}
	for _, read := range []func(*simulator.Options) error{c.zeroes, c.readMix, c.readPolicy, c.readCodes, c.readFund, c.readSignature} {
		if err := read(&o); err != nil {
			return o, err
		}
	}
	secret, err := c.secret(f)
	if err != nil {
		return o, err
	}
	o.Secret = secret
	return o, optionError(o.Validate())
}

// zeroes: what was asked for as zero is not the default.
func (c *simulateFlags) zeroes(o *simulator.Options) error {
	if o.Rounds == 0 || o.Concurrency == 0 || o.Timeout <= 0 || o.Players == 0 && len(o.Users) == 0 {
		return usagef("", "--players, --rounds, --concurrency and --timeout must be above zero")
	}
	if c.speed < 1 {
		return usagef("", "--speed must be at least 1")
	}
	return nil
}

func (c *simulateFlags) readMix(o *simulator.Options) error {
	o.Mix = map[simulator.Scenario]int{}
	for name, weight := range c.mix {
		o.Mix[simulator.Scenario(name)] = weight
	}
	return nil
}

func (c *simulateFlags) readPolicy(o *simulator.Options) error {
	for _, p := range simulatedPolicies {
		choice := *c.policy[p.name]
		if choice == "" {
			continue
		}
		if err := o.Policy.Set(p.name, choice); err != nil {
			return usagef("", "--%s %w", strings.ReplaceAll(p.name, "_", "-"), err)
		}
	}
	return nil
}

// readCodes reads REASON=STATUS/CODE.
func (c *simulateFlags) readCodes(o *simulator.Options) error {
	o.Codes = map[provider.Reason]provider.Code{}
	for _, given := range c.codes {
		reason, words, _ := strings.Cut(given, "=")
		status, code, ok := strings.Cut(words, "/")
		n, err := strconv.Atoi(status)
		if !ok || err != nil || code == "" {
			return usagef("--code insufficient_funds=402/100", "--code must be REASON=STATUS/CODE")
		}
		o.Codes[provider.Reason(reason)] = provider.Code{Status: n, Code: code}
	}
	return nil
}

func (c *simulateFlags) readFund(o *simulator.Options) (err error) {
	if c.fund == "" {
		return nil
	}
	if o.Fund, err = walletcore.ParseMoney(c.fund); err != nil || o.Fund.Sign() <= 0 {
		return usagef("", "--fund must be an amount above zero, such as 100.00")
	}
	return nil
}

// readSignature reads HEADER:ENCODING[:PREFIX].
func (c *simulateFlags) readSignature(o *simulator.Options) error {
	if c.signature == "" {
		return nil
	}
	header, rest, _ := strings.Cut(c.signature, ":")
	encoding, prefix, _ := strings.Cut(rest, ":")
	o.Signature = &signature.Form{Header: header, Encoding: signature.Encoding(encoding), Prefix: prefix}
	return nil
}
