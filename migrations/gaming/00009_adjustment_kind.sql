-- +goose Up

-- A migration of its own: a new value cannot be used in the transaction that
-- adds it.
alter type gaming.movement_kind add value 'adjustment';
