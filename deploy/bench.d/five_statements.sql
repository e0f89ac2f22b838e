-- A movement as most programs write it: five statements, five round trips.
\set wallet random(1, 10000)
\set units random(1, 1000)
\set id random(1, 9000000000000000000)
begin;
select balance, seq from limits.wallets where id = :wallet for update;
update limits.wallets set balance = balance + :units * 0.00000001, seq = seq + 1 where id = :wallet returning balance, seq \gset
insert into limits.entries (wallet_id, kind, external_id, amount, balance_before, balance_after, seq) values (:wallet, 1, 'tx-' || :id, :units * 0.00000001, :balance::numeric - :units * 0.00000001, :balance::numeric, :seq);
commit;
