-- +goose Up

-- A migration of its own: a new value cannot be used in the transaction that
-- adds it.
alter type gaming.movement_kind add value 'withdrawal';
alter type gaming.movement_kind add value 'withdrawal_reversal';
alter type gaming.movement_kind add value 'bet';
alter type gaming.movement_kind add value 'win';
alter type gaming.movement_kind add value 'refund';
alter type gaming.movement_kind add value 'win_reversal';
alter type gaming.movement_kind add value 'bonus_grant';
alter type gaming.movement_kind add value 'bonus_forfeit';
alter type gaming.movement_kind add value 'bonus_conversion';
