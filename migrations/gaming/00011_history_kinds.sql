-- +goose Up

-- A migration of its own: a new value cannot be used in the transaction that
-- adds it.
alter type gaming.movement_kind add value 'brought_forward'; -- seq 0 of a wallet that was there before the ledger
alter type gaming.movement_kind add value 'history_seal'; -- ties older history to the live chain
alter type gaming.entry_mark add value 'duplicate'; -- history: moved money a second time under a key that was taken
alter type gaming.entry_mark add value 'unkeyed'; -- history: its row had no id; the external id is a digest
