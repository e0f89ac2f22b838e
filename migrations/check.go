package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// constraint is a guarantee that the money depends on.
type constraint struct {
	table, name, definition string
}

// guarantees are looked up by name and definition before a service serves: a
// migration recorded as done is no proof that its index is there and valid.
var guarantees = map[Schema][]constraint{
	Gaming: {
		{"wallets", "wallets_pkey", "PRIMARY KEY (id)"},
		{"entries", "entries_pkey", "PRIMARY KEY (wallet_id, seq)"},
		{"entries", "entries_idempotency_key", "UNIQUE (wallet_id, kind, external_id)"},
		{"receipts", "receipts_pkey", "PRIMARY KEY (kind, external_id)"},
		{"dead_letters", "dead_letters_digest_key", "UNIQUE (digest)"},
	},
	Casino: {
		{"deposits", "deposits_pkey", "PRIMARY KEY (id)"},
		{"deposits", "deposits_idempotency_key", "UNIQUE (brand_id, idempotency_key)"},
		{"payments", "payments_pkey", "PRIMARY KEY (gateway, account, payment_id)"},
		{"payments", "payments_deposit_id_key", "UNIQUE (deposit_id)"},
		{"withdrawals", "withdrawals_pkey", "PRIMARY KEY (id)"},
		{"withdrawals", "withdrawals_idempotency_key", "UNIQUE (brand_id, idempotency_key)"},
		{"payouts", "payouts_pkey", "PRIMARY KEY (gateway, account, payout_id)"},
		{"payouts", "payouts_withdrawal_id_key", "UNIQUE (withdrawal_id)"},
		{"effects", "effects_pkey", "PRIMARY KEY (deposit_id, effect)"},
		{"dead_letters", "dead_letters_digest_key", "UNIQUE (digest)"},
	},
}

// enforcers are the triggers that keep the rules of a schema, whoever writes;
// each must be enabled ALWAYS.
var enforcers = map[Schema][]string{
	Gaming: {
		"entries_closed", "entries_append_only", "entries_not_truncated",
		"receipts_closed", "receipts_append_only", "receipts_not_truncated",
		"wallets_closed_insert", "wallets_closed_update", "wallets_forward", "wallets_identity", "wallets_named",
		"wallets_kept", "wallets_not_truncated",
		"wallets_born", "brands_forward", "brands_kept",
		"brand_changes_append_only", "brand_changes_checked", "brand_changes_applied",
		"freezes_append_only", "freezes_not_truncated",
		"cases_fixed", "cases_kept", "cases_told", "case_events_append_only",
		"adjustments_append_only", "adjustments_checked", "adjustment_steps_append_only", "adjustment_steps_checked",
		"adjustment_limits_told", "adjustment_limits_not_truncated", "adjustment_limit_changes_append_only",
		"history_parts_closed", "history_parts_append_only", "history_parts_not_truncated",
		"history_imports_append_only", "history_imports_not_truncated",
		"dead_letters_moves", "dead_letters_fixed", "dead_letters_kept", "dead_letters_told", "dead_letter_events_append_only",
	},
	Casino: {
		"deposits_born_pending", "deposits_legal_move", "deposits_fixed", "deposits_paid", "deposits_kept",
		"withdrawals_born_requested", "withdrawals_legal_move", "withdrawals_fixed", "withdrawals_payout",
		"withdrawals_paid", "withdrawals_kept", "payouts_append_only", "withdrawal_events_append_only",
		"payments_append_only", "deposit_events_append_only", "effects_fixed", "effects_kept",
		"gateway_messages_fixed", "gateway_messages_kept", "cases_fixed", "cases_kept",
		"cases_told", "case_events_append_only", "replays_append_only",
		"dead_letters_moves", "dead_letters_fixed", "dead_letters_kept", "dead_letters_told", "dead_letter_events_append_only",
	},
}

// Check reports whether a service may serve on the schema: every migration
// that this program knows is applied, and every unique index that the money
// depends on is there, unique and valid, every trigger enabled. A newer schema
// is accepted, so that a rolling upgrade can migrate first. The error is a
// *SchemaError where the schema was read.
func Check(ctx context.Context, pool *pgxpool.Pool, schema Schema) error {
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	return CheckDB(ctx, db, schema)
}

// CheckDB is [Check] over database/sql.
func CheckDB(ctx context.Context, db *sql.DB, schema Schema) error {
	problems, err := missingVersions(ctx, db, schema)
	if err != nil {
		return err
	}
	behind := len(problems) > 0
	if !behind {
		constraints, err := brokenConstraints(ctx, db, schema)
		if err != nil {
			return err
		}
		triggers, err := disabledTriggers(ctx, db, schema)
		if err != nil {
			return err
		}
		problems = append(constraints, triggers...)
	}
	if len(problems) > 0 {
		return &SchemaError{Schema: schema, Behind: behind, Problems: problems}
	}
	return nil
}

func missingVersions(ctx context.Context, db *sql.DB, schema Schema) ([]string, error) {
	done, err := appliedVersions(ctx, db, schema)
	if err != nil {
		return nil, err
	}
	provider, err := newProvider(db, schema)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, s := range provider.ListSources() {
		if !done[s.Version] {
			problems = append(problems, "not applied: "+sourceName(schema, s))
		}
	}
	return problems, nil
}

func appliedVersions(ctx context.Context, db *sql.DB, schema Schema) (map[int64]bool, error) {
	done := map[int64]bool{}
	var there bool
	err := db.QueryRowContext(ctx, `select to_regclass($1) is not null`, versionTable(schema)).Scan(&there)
	if err != nil {
		return nil, fmt.Errorf("read the version of schema %s: %w", schema, err)
	}
	if !there {
		return done, nil
	}
	rows, err := db.QueryContext(ctx, `select version_id from `+versionTable(schema)+` where is_applied`)
	if err != nil {
		return nil, fmt.Errorf("read the version of schema %s: %w", schema, err)
	}
	defer rows.Close()
	for rows.Next() {
		var version int64
		if err := rows.Scan(&version); err != nil {
			return nil, err
		}
		done[version] = true
	}
	return done, rows.Err()
}

const findConstraint = `
select pg_get_constraintdef(c.oid), i.indisunique, i.indisvalid and i.indisready and i.indislive
from pg_constraint c
join pg_index i on i.indexrelid = c.conindid
where c.conrelid = to_regclass($1) and c.conname = $2`

func brokenConstraints(ctx context.Context, db *sql.DB, schema Schema) ([]string, error) {
	var problems []string
	for _, want := range guarantees[schema] {
		table := string(schema) + "." + want.table
		var definition string
		var unique, valid bool
		err := db.QueryRowContext(ctx, findConstraint, table, want.name).Scan(&definition, &unique, &valid)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			problems = append(problems, fmt.Sprintf("%s lacks %s %s", table, want.name, want.definition))
		case err != nil:
			return nil, fmt.Errorf("check the indexes of schema %s: %w", schema, err)
		case definition != want.definition:
			problems = append(problems, fmt.Sprintf("%s of %s is %s, must be %s", want.name, table, definition, want.definition))
		case !unique:
			problems = append(problems, fmt.Sprintf("index %s of %s is not unique", want.name, table))
		case !valid:
			problems = append(problems, fmt.Sprintf("index %s of %s is not valid: reindex it", want.name, table))
		}
	}
	return problems, nil
}

func disabledTriggers(ctx context.Context, db *sql.DB, schema Schema) ([]string, error) {
	const enabled = `
select t.tgname
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
where c.relnamespace = to_regnamespace($1) and t.tgenabled = 'A'`
	rows, err := db.QueryContext(ctx, enabled, string(schema))
	if err != nil {
		return nil, fmt.Errorf("check the triggers of schema %s: %w", schema, err)
	}
	defer rows.Close()
	on := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		on[name] = true
	}
	var problems []string
	for _, name := range enforcers[schema] {
		if !on[name] {
			problems = append(problems, "trigger "+name+" is missing or not enabled always")
		}
	}
	return problems, rows.Err()
}
