package replay_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore"
)

func TestCase_ItsHistoryTellsWhoDidWhat(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	ref := b.waitCase(s, "credit_exhausted")
	bea := b.desk("bea", "supervisor")
	ctx := t.Context()

	require.NoError(t, b.ana.Claim(ctx, ref, false))
	require.NoError(t, b.ana.Claim(ctx, ref, false), "again")
	var other *replay.CaseError
	require.ErrorAs(t, bea.Claim(ctx, ref, false), &other)
	require.False(t, other.Closed)
	require.Regexp(t, `^case casino-\d+ is with ana_`, other.Error())
	require.ErrorAs(t, bea.Release(ctx, ref), &other)
	require.ErrorAs(t, bea.Resolve(ctx, ref, "mine"), &other)
	require.NoError(t, bea.Note(ctx, ref, "another's case can be noted"))
	require.NoError(t, bea.Claim(ctx, ref, true))
	require.NoError(t, bea.Release(ctx, ref))
	require.NoError(t, bea.Resolve(ctx, ref, "paid by hand"))
	require.ErrorAs(t, b.ana.Claim(ctx, ref, true), &other)
	require.True(t, other.Closed)
	require.Regexp(t, `was closed by bea_\w+: paid by hand$`, other.Error())
	require.NoError(t, b.ana.Note(ctx, ref, "a closed one as well"))

	var told []string
	events, err := b.ana.CaseEvents(ctx, ref)
	require.NoError(t, err)
	for _, e := range events {
		name, _, _ := strings.Cut(e.Actor, "_")
		told = append(told, name+" "+e.Kind)
	}
	require.Equal(t, []string{
		"casino opened", "ana claimed", "bea noted", "bea claimed", "bea released", "bea resolved", "ana noted",
	}, told)
	require.Regexp(t, "^was with ana_", events[3].Note)
	require.Equal(t, "paid by hand", events[5].Note)
	c, err := b.ana.Case(ctx, ref)
	require.NoError(t, err)
	require.Regexp(t, "^bea_", c.ResolvedBy)
}

func TestCase_OfTwoWhoClaimAtOnceOneIsTold(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ref := b.gamingCase()
	desks := []*replay.Desk{b.ana, b.desk("bea", "oncall"), b.desk("cem", "supervisor")}
	for _, act := range []func(*replay.Desk) error{
		func(d *replay.Desk) error { return d.Claim(t.Context(), ref, false) },
	} {
		errs := atOnce(desks, act)
		require.Len(t, slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err != nil }), 1)
		for _, err := range errs {
			var other *replay.CaseError
			require.True(t, err == nil || errors.As(err, &other) && !other.Closed, "%v", err)
		}
	}
}

func TestCase_OneResolvesWhatAnotherClaimsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bea := b.desk("bea", "oncall")
	for range 20 {
		ref := b.gamingCase()
		var wait sync.WaitGroup
		var claimed, resolved error
		wait.Go(func() { claimed = b.ana.Claim(t.Context(), ref, false) })
		wait.Go(func() { resolved = bea.Resolve(t.Context(), ref, "done") })
		wait.Wait()
		c, err := b.ana.Case(t.Context(), ref)
		require.NoError(t, err)
		var late *replay.CaseError
		if claimed == nil {
			require.ErrorAs(t, resolved, &late)
			require.False(t, late.Closed)
			require.Nil(t, c.ClosedAt)
			require.NoError(t, b.ana.Resolve(t.Context(), ref, "done"))
			continue
		}
		require.NoError(t, resolved)
		require.ErrorAs(t, claimed, &late)
		require.True(t, late.Closed)
		require.Empty(t, c.Owner)
	}
}

func atOnce(desks []*replay.Desk, act func(*replay.Desk) error) []error {
	errs := make([]error, len(desks))
	var wait sync.WaitGroup
	for i, d := range desks {
		wait.Go(func() { errs[i] = act(d) })
	}
	wait.Wait()
	return errs
}

func TestCase_WhatSaysNothingIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ref := b.gamingCase()
	var wrong *walletcore.FieldError
	for _, text := range []string{"", " ", "\t\n", strings.Repeat("x", 2001), "a\x00b", "\xff"} {
		require.ErrorAs(t, b.ana.Note(t.Context(), ref, text), &wrong, "%q", text)
		require.ErrorAs(t, b.ana.Resolve(t.Context(), ref, text), &wrong, "%q", text)
	}
	for _, statement := range []string{
		`select gaming.note_case($1, null)`, `select gaming.note_case($1, E'\t')`, `select gaming.resolve_case($1, null)`,
		`select gaming.resolve_case($1, E' \n')`,
	} {
		_, err := b.ana.Gaming.Exec(t.Context(), statement, ref.Number)
		require.Error(t, err, statement)
	}
	require.NoError(t, b.ana.Claim(t.Context(), ref, false))
	_, err := b.desk("bea", "oncall").Gaming.Exec(t.Context(), `select gaming.claim_case($1, null)`, ref.Number)
	require.ErrorContains(t, err, "is with ana_", "null takes nothing over")
}

func TestCase_UnknownOnesAreNotFound(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, schema := range []string{"casino", "gaming"} {
		ref := replay.Ref{Schema: schema, Number: 404}
		_, err := b.ana.Case(t.Context(), ref)
		require.ErrorIs(t, err, replay.ErrNotFound)
		require.ErrorIs(t, b.ana.Claim(t.Context(), ref, false), replay.ErrNotFound)
		require.ErrorIs(t, b.ana.Note(t.Context(), ref, "x"), replay.ErrNotFound)
		require.ErrorIs(t, b.ana.Resolve(t.Context(), ref, "x"), replay.ErrNotFound)
	}
	for _, text := range []string{"", "17", "casino-", "casino-0", "casino--1", "worker-1", "casino-1x"} {
		_, err := replay.ParseRef(text)
		require.Error(t, err, text)
	}
}
