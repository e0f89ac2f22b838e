package replay

// part is a query that adds moments: at, where, what, detail, actor, correlation
// id. $1 is the subject's id.
type part struct {
	name   string
	schema string
	query  string
	typed  bool // $2 is the subject's type
}

// depositParts are what casino knows of a deposit alone. A message is told of
// without its body, which may name the payer.
var depositParts = []part{
	{"messages of the gateway", "casino", `
select received_at, 'gateway', 'message: ' || status,
  concat_ws(' ', result::text, nullif(reason, ''), amount::text, currency, nullif(payment_id, ''), nullif(event_type, '')), '', id
from casino.gateway_messages
where deposit_id = $1 and deposit_id <> ''`, false},
	{"history", "casino", `
select at, 'casino', kind::text,
  concat_ws(' ', 'attempt ' || attempt, nullif(error_class, '') || ':', detail), '', coalesce(message_id, '')
from casino.deposit_events
where deposit_id = $1`, false},
	{"jobs", "casino", `
select j.scheduled_at, 'queue', 'job ' || j.id || ': ' || j.state::text,
  j.kind || ', attempt ' || j.attempt || ' of ' || j.max_attempts, '', ''
from casino.river_job j
where j.id in (
  select job_id from casino.deposits where id = $1
  union all
  select job_id from casino.effects where deposit_id = $1)`, false},
}

// withdrawalParts are what casino knows of a withdrawal alone.
var withdrawalParts = []part{
	{"messages of the gateway", "casino", `
select received_at, 'gateway', 'message: ' || status,
  concat_ws(' ', result::text, nullif(reason, ''), amount::text, currency, nullif(payment_id, ''), nullif(event_type, '')), '', id
from casino.gateway_messages
where withdrawal_id = $1 and withdrawal_id <> ''`, false},
	{"history", "casino", `
select at, 'casino', kind::text,
  concat_ws(' ', 'attempt ' || attempt, nullif(error_class, '') || ':', detail), '', coalesce(message_id, '')
from casino.withdrawal_events
where withdrawal_id = $1`, false},
	{"jobs", "casino", `
select j.scheduled_at, 'queue', 'job ' || j.id || ': ' || j.state::text,
  j.kind || ', attempt ' || j.attempt || ' of ' || j.max_attempts, '', ''
from casino.withdrawals w
join casino.river_job j on j.id in (w.debit_job_id, w.payout_job_id, w.reversal_job_id)
where w.id = $1`, false},
}

// commonParts are the same for both. The cases of a payment are those about it,
// about its effects, and about the payments and messages that named it.
var commonParts = []part{
	{"cases", "casino", `
select e.at, 'oncall', 'case casino-' || c.id || ' (' || c.kind::text || ') ' || e.kind::text, coalesce(e.note, ''), e.actor, ''
from (
  select $2::text, $1::text
  union
  select 'effect', deposit_id || '/' || effect from casino.effects where deposit_id = $1
  union
  select 'message', id from casino.gateway_messages where deposit_id = $1 and deposit_id <> ''
  union
  select 'message', id from casino.gateway_messages where withdrawal_id = $1 and withdrawal_id <> ''
  union
  select 'payment', concat_ws('/', gateway, account, payment_id)
  from casino.gateway_messages where deposit_id = $1 and deposit_id <> ''
  union
  select 'payment', concat_ws('/', gateway, account, payment_id)
  from casino.gateway_messages where withdrawal_id = $1 and withdrawal_id <> '') s (type, id)
join casino.cases c on c.subject_type = s.type and c.subject_id = s.id
join casino.case_events e on e.case_id = c.id`, true},
	{"replays", "casino", `
select r.at, 'oncall', 'replay: ' || r.outcome, concat_ws(' ', nullif(r.subject_id, $1) || ':', r.why), r.actor, ''
from (
  select $2::text, $1::text
  union
  select 'effect', deposit_id || '/' || effect from casino.effects where deposit_id = $1) s (type, id)
join casino.replays r on r.subject_type = s.type and r.subject_id = s.id`, true},
	{ledgerPart, "gaming", `
select e.recorded_at, 'gaming', 'entry: ' || e.kind::text || coalesce(' (' || e.mark::text || ')', ''),
  format('real %s -> %s, bonus %s -> %s, wallet %s seq %s', e.real_before, e.real_after, e.bonus_before, e.bonus_after,
    e.wallet_id, e.seq), e.actor, coalesce(e.reference, '')
from gaming.receipts r
join gaming.entries e on e.wallet_id = r.wallet_id and e.seq = r.seq
where r.external_id = $1 and r.kind in ('deposit', 'withdrawal', 'withdrawal_reversal')`, false},
}

const ledgerPart = "gaming's ledger"
