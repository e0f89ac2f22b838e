-- The same movement as one statement, one round trip, one commit: the fastest that keeps balance and entry
-- together.
\set wallet random(1, 10000)
\set units random(1, 1000)
\set id random(1, 9000000000000000000)
with moved as (update limits.wallets set balance = balance + :units * 0.00000001, seq = seq + 1 where id = :wallet returning id, balance, seq) insert into limits.entries (wallet_id, kind, external_id, amount, balance_before, balance_after, seq) select id, 1, 'tx-' || :id, :units * 0.00000001, balance - :units * 0.00000001, balance, seq from moved returning balance_before, balance_after, seq;
