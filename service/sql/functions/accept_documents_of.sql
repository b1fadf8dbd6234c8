-- Accepts the items of one tenant, whose scopes the caller has locked. It answers each item by its key, its scope and
-- its epoch, and writes what is new: document, version, work, idempotency record and event.
create or replace function accept_documents_of(tenant uuid, items json, content bytea, keys_kept_seconds integer)
  returns setof accept_answer
  language plpgsql
  -- The plan is the same for every tenant and every size of the tables: look each row up by its key. Left alone,
  -- Postgres would plan anew at each call, or keep a plan for empty tables that reads them whole when they are full.
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  as $$
#variable_conflict use_column
declare
  answers accept_answer[];
  keys    bigint[];
  -- The items whose labels are written: not those whose key was sent before, because their labels may have changed since.
  written integer[];
  turn    bigint;
  -- Keys from before that are forgotten.
  kept_from timestamptz := now() - make_interval(secs => keys_kept_seconds);
begin
  -- From here to the commit nobody else writes in these scopes.
  perform from (select distinct i.scope_id from accept_items(items) i) s
    join scope_heads h on h.tenant_id = tenant and h.scope_id = s.scope_id
    order by h.scope_id for no key update of h;
  turn := nextval('kernel_seqs');

  with batch as materialized (
    select * from accept_items(items)
  ), judged as materialized (
    select b.*, h.head, k.document_id as key_document, k.seq as key_seq,
           d.version as old_version, d.seq as old_seq,
           d.status = 'attached' and d.fingerprint = b.fingerprint as attached_before,
           case when h.scope_id is null then 'scope_not_found'
                when h.epoch <> b.epoch then 'stale_epoch'
                when k.fingerprint <> b.request then 'key_reused'
                when k.seq is not null then 'key_replayed'
                when d.fingerprint = b.fingerprint and d.status not in ('registered', 'attached', 'removed')
                  then 'document_replayed'
                else 'accepted' end as verdict,
           -- One that was processed stays in force until the newer one is.
           coalesce(d.status in ('queued', 'processing', 'failed', 'held')
                    or d.status = 'attached' and d.fingerprint <> b.fingerprint, false) as supersedes
      from batch b
      left join lateral (select * from scope_heads h
                          where h.tenant_id = tenant and h.scope_id = b.scope_id limit 1) h on true
      left join lateral (select * from documents d
                          where d.tenant_id = tenant and d.scope_id = b.scope_id and d.document_id = b.document_id
                          limit 1) d on true
      left join lateral (select * from idempotency_keys k
                          where k.tenant_id = tenant and k.key_hash = b.key_hash
                            and k.created_at > kept_from limit 1) k on true
  ), numbered as materialized (
    select j.*,
           case when attached_before then old_version else coalesce(old_version, 0) + 1 end as new_version,
           head + sum(case when verdict = 'accepted' then 1 + supersedes::integer else 0 end)
                    over (partition by scope_id order by item) as new_seq
      from judged j
  ), accepted as (
    select * from numbered where verdict = 'accepted'
  ), wrote_documents as (
    insert into documents as d (tenant_id, scope_id, document_id, epoch, version, type, status, fingerprint,
                                characters, sealed_card, sealed_layout, seq)
    select tenant, scope_id, document_id, epoch, new_version, type, 'queued', fingerprint, characters,
           substring(content from card_at + 1 for card_length),
           -- Null where the document came as text.
           substring(content from layout_at + 1 for layout_length), new_seq
      from accepted
    on conflict (tenant_id, scope_id, document_id) do update
       set epoch = excluded.epoch, version = excluded.version, type = excluded.type, status = 'queued', attempt = 0,
           error_code = null, error_stage = null, fingerprint = excluded.fingerprint,
           characters = excluded.characters, characters_read = 0, reader = null, gap = null,
           sealed_card = excluded.sealed_card, sealed_layout = excluded.sealed_layout, seq = excluded.seq, updated_at = now()
  ), ended_versions as (
    update document_versions v set status = 'superseded', ended_at = now()
      from accepted a
     where v.tenant_id = tenant and v.scope_id = a.scope_id and v.document_id = a.document_id
       -- Each version ended the one before it when it came, so no other can be under way, however many there are.
       and v.version = a.old_version and v.version < a.new_version and v.status in ('attached', 'queued', 'processing', 'failed', 'held')
  ), wrote_versions as (
    insert into document_versions (tenant_id, scope_id, document_id, version, epoch, status, characters, sealed_text,
                                   queued_at)
    select tenant, scope_id, document_id, new_version, epoch, 'queued', characters,
           substring(content from text_at + 1 for text_length), now()
      from accepted
    on conflict (tenant_id, scope_id, document_id, version) do update set status = 'queued', queued_at = now()
  ), wrote_work as (
    insert into work as w (tenant_id, scope_id, document_id, version, epoch, shard, position)
    select tenant, scope_id, document_id, new_version, epoch, shard_of(tenant), nextval('work_positions')
      from accepted order by item
    on conflict (tenant_id, scope_id, document_id) do update
       set version = excluded.version, epoch = excluded.epoch, state = 'queued', position = excluded.position,
           attempt = 0, ticket = null, not_before = now(), touched_at = now(), queued_at = now()
  ), wrote_log as (
    insert into scope_log (tenant_id, scope_id, seq, epoch, kind, document_id, version, data, kernel_seq)
    select tenant, scope_id, new_seq, epoch, 'document.queued', document_id, new_version, '{}'::jsonb, turn
      from accepted
    union all
    select tenant, scope_id, new_seq - 1, epoch, 'document.superseded', document_id, old_version,
           jsonb_build_object('superseded_by', new_version), turn
      from accepted where supersedes
  ), wrote_keys as (
    insert into idempotency_keys as k (tenant_id, key_hash, fingerprint, scope_id, document_id, seq)
    select tenant, key_hash, request, scope_id, document_id,
           case verdict when 'accepted' then new_seq else old_seq end
      from numbered where key_hash is not null and verdict in ('accepted', 'document_replayed') order by key_hash
    on conflict (tenant_id, key_hash) do update
       set fingerprint = excluded.fingerprint, scope_id = excluded.scope_id, document_id = excluded.document_id,
           seq = excluded.seq, created_at = now()
     where k.created_at <= kept_from
    returning 1
  ), moved_heads as (
    update scope_heads h set head = m.head
      from (select scope_id, max(new_seq) as head from accepted group by scope_id) m
     where h.tenant_id = tenant and h.scope_id = m.scope_id
  )
  select array_agg(row(
           n.item,
           case when n.verdict in ('key_replayed', 'document_replayed') then 'replayed' else n.verdict end,
           coalesce(n.key_document, n.document_id),
           case when n.verdict = 'accepted' then n.new_version end,
           case n.verdict when 'accepted' then n.new_seq when 'key_replayed' then n.key_seq
                          when 'document_replayed' then n.old_seq end)::accept_answer),
         array[(select count(*) from wrote_keys),
               count(*) filter (where n.key_hash is not null and n.verdict in ('accepted', 'document_replayed'))],
         array_agg(n.item) filter (where n.verdict in ('accepted', 'document_replayed'))
    into answers, keys, written
    from numbered n;

  -- The same key came through another scope at this very moment: nothing of this batch counts, it is tried again.
  if keys[1] <> keys[2] then
    raise exception 'an idempotency key was taken meanwhile' using errcode = 'serialization_failure';
  end if;
  -- Few documents come with labels. This looks at the text of the items, so that the others are not parsed for them again.
  if position('"labels"' in items::text) > 0 then
    perform replace_labels(tenant, items, content, written);
  end if;
  return query select * from unnest(answers);
end $$;
