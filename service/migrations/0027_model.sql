-- Reading with a language model: answers that were paid for, what each tenant uses, and documents that wait for the model.

-- An answer is found by a keyed hash of what was asked and of the model, so that the same content is not paid for twice in a scope,
-- also where a worker dies between the answer and the commit of what it was asked for. Sealed: it repeats content.
create table model_answers (
  tenant_id      uuid not null,
  scope_id       text collate "C" not null,
  request        bytea not null check (length(request) = 16),
  epoch          integer not null,
  step           text not null,
  model          text not null,
  prompt_version integer not null,
  input_tokens   integer not null,
  output_tokens  integer not null,
  sealed         bytea not null,
  created_at     timestamptz not null default now(),
  primary key (tenant_id, scope_id, request)
) partition by hash (tenant_id);

-- The documents whose content was in a request: its answer is deleted with any of them.
create table model_answer_documents (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  document_id text collate "C" not null,
  request     bytea not null,
  primary key (tenant_id, scope_id, document_id, request)
) partition by hash (tenant_id);

-- Requests that were answered, by the day of UTC.
create table model_usage (
  tenant_id     uuid not null,
  day           date not null,
  step          text not null,
  model         text not null,
  requests      bigint not null,
  input_tokens  bigint not null,
  output_tokens bigint not null,
  primary key (tenant_id, day, step, model)
) partition by hash (tenant_id);

-- Tokens that a tenant used, and those reserved for requests in flight, by the day of UTC. A request whose worker dies stays
-- reserved until the day ends.
create table model_spending (
  tenant_id uuid not null,
  day       date not null,
  used      bigint not null default 0,
  reserved  bigint not null default 0,
  primary key (tenant_id, day)
) partition by hash (tenant_id);

do $$
declare
  target text;
  part   regclass;
begin
  foreach target in array array['model_answers', 'model_answer_documents', 'model_usage', 'model_spending'] loop
    call partition_by_tenant(target::regclass);
    call protect_tenant_table(target::regclass);
  end loop;
  -- Ciphertext does not compress; trying costs more than storing.
  for part in select inhrelid from pg_inherits where inhparent = 'model_answers'::regclass loop
    execute format('alter table %s alter column sealed set storage external', part);
  end loop;
  -- Updated in place with every request.
  for part in select inhrelid from pg_inherits where inhparent in ('model_usage'::regclass, 'model_spending'::regclass) loop
    execute format('alter table %s set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)', part);
  end loop;
end $$;

grant select, delete on model_answers, model_answer_documents, model_usage, model_spending to concord_api;
grant select, insert on model_answers, model_answer_documents to concord_worker;
grant select, insert, update, delete on model_usage, model_spending to concord_worker;

-- Why a document that is queued waits until not_before: the reason for which the language model gave no answer. It waits longer each
-- time, and is woken as soon as a worker sees that the model answers again.
alter table work
  add column waiting_reason text,
  add column deferrals      integer not null default 0;
create index work_waiting on work (not_before) where state = 'queued' and waiting_reason is not null;

create function deferred_items(items json)
  returns table (item integer, scope_id text, document_id text, ticket bigint, attempt integer, after_ms bigint, reason text,
                 grows boolean)
  language sql volatile rows 1 as $$
  select i.item, i.scope, i.document, i.ticket, i.attempt, i.after_ms, i.reason, i.grows
    from json_to_recordset(items) as i(item integer, scope text, document text, ticket bigint, attempt integer,
           after_ms bigint, reason text, grows boolean)
$$;

-- Puts attempts back that could not be made, for no fault of the document: they are not counted, and the work waits in the backlog
-- again. The fence is that of settling.
create function defer_attempts(groups json) returns setof settle_answer
  language plpgsql as $$
declare
  tenant uuid;
  items  json;
begin
  for tenant, items in select g.tenant, g.items from json_to_recordset(groups) g(tenant uuid, items json) loop
    perform set_config('app.tenant', tenant::text, true);
    return query select * from defer_attempts_of(tenant, items);
  end loop;
end $$;

create function defer_attempts_of(tenant uuid, items json) returns setof settle_answer
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  deferred record;
  put_back record;
begin
  perform from (select distinct i.scope_id from deferred_items(items) i) s
    join scope_heads h on h.tenant_id = tenant and h.scope_id = s.scope_id
    order by h.scope_id for no key update of h;
  for deferred in select * from deferred_items(items) loop
    update work w
       set state = 'queued', ticket = null, touched_at = now(), attempt = w.attempt - 1, waiting_reason = deferred.reason,
           deferrals = w.deferrals + 1,
           not_before = now() + case when deferred.grows
                                     then least(deferred.after_ms * power(2, least(w.deferrals, 5)), 300000)
                                     else deferred.after_ms end * interval '1 ms'
     where w.tenant_id = tenant and w.scope_id = deferred.scope_id and w.document_id = deferred.document_id
       and w.ticket = deferred.ticket and w.attempt = deferred.attempt and w.state = 'processing'
    returning w.version, w.attempt into put_back;
    if found then
      update documents d set status = 'queued', attempt = put_back.attempt, updated_at = now()
       where d.tenant_id = tenant and d.scope_id = deferred.scope_id and d.document_id = deferred.document_id
         and d.status = 'processing';
      update document_versions v set status = 'queued'
       where v.tenant_id = tenant and v.scope_id = deferred.scope_id and v.document_id = deferred.document_id
         and v.version = put_back.version and v.status = 'processing';
      return next row(deferred.item, 'settled')::settle_answer;
    else
      return next row(deferred.item, 'stale')::settle_answer;
    end if;
  end loop;
end $$;

-- Attempts of one scope that take long are still being made: work is taken for lost by how long ago it was touched. The head is held,
-- so that no row moves while somebody else is about to change it where it was found.
create function touch_attempts_of(tenant uuid, scope text, items json) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  touched record;
begin
  perform from scope_heads h where h.tenant_id = tenant and h.scope_id = scope for no key update of h;
  for touched in select * from deferred_items(items) loop
    update work w set touched_at = now()
     where w.tenant_id = tenant and w.scope_id = scope and w.document_id = touched.document_id
       and w.ticket = touched.ticket and w.attempt = touched.attempt and w.state = 'processing';
  end loop;
end $$;
