package deposit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/migrations"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestOptions_WhatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	pool := wallettest.NewDatabase(t).Pool(t, wallettest.Casino)
	queue, err := job.New(job.Options{Pool: pool})
	require.NoError(t, err)
	good := deposit.Options{Queue: queue, Pool: pool, Wallet: &wallet{}, Effects: &topic{}}
	for name, change := range map[string]func(*deposit.Options){
		"no pool":         func(o *deposit.Options) { o.Pool = nil },
		"no wallet":       func(o *deposit.Options) { o.Wallet = nil },
		"no publisher":    func(o *deposit.Options) { o.Effects = nil },
		"effect twice":    func(o *deposit.Options) { o.EffectNames = []string{"a", "b", "a"} },
		"effect no name":  func(o *deposit.Options) { o.EffectNames = []string{""} },
		"no queue":        func(o *deposit.Options) { o.Queue = nil },
		"negative number": func(o *deposit.Options) { o.Workers = -1 },
	} {
		o := good
		change(&o)
		_, err := deposit.NewService(o)
		require.Error(t, err, name)
	}
	_, err = deposit.NewService(good)
	require.NoError(t, err)
}

func TestOptions_AnEmptyListMeansNoEffects(t *testing.T) {
	t.Parallel()
	pool := wallettest.NewDatabase(t).Pool(t, wallettest.Casino)
	queue, err := job.New(job.Options{Pool: pool})
	require.NoError(t, err)
	_, err = deposit.NewService(deposit.Options{Queue: queue, Pool: pool, Wallet: &wallet{}, EffectNames: []string{}})
	require.NoError(t, err)
}

func TestSchema_IsFitToServeAsCasino(t *testing.T) {
	t.Parallel()
	pool := wallettest.NewDatabase(t).Pool(t, wallettest.Casino)
	require.NoError(t, migrations.Check(t.Context(), pool, migrations.Casino))
}
