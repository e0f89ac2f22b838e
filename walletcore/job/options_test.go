package job_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestOptions_WhatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	pool := wallettest.NewDatabase(t).Pool(t, wallettest.Casino)
	for name, o := range map[string]job.Options{
		"no pool":          {},
		"negative base":    {Pool: pool, RetryBase: -time.Second},
		"negative timeout": {Pool: pool, JobTimeout: -time.Second},
		"negative poll":    {Pool: pool, PollInterval: -time.Second},
		"negative stop":    {Pool: pool, StopTimeout: -time.Second},
	} {
		_, err := job.New(o)
		require.Error(t, err, name)
	}
}
