-- Each signed gateway request is accepted once, on whichever replica it arrives. Only the last two minutes
-- matter (a signature lives 60 s), so the table need not survive a crash and skips the write-ahead log.
create unlogged table gateway_nonces (
  nonce   text primary key,
  seen_at timestamptz not null default now()
);
create index gateway_nonces_by_age on gateway_nonces (seen_at);

grant select, insert, delete on gateway_nonces to concord_registrar;
