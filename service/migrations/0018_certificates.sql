-- Certificates: signed statements that a scope was settled, in one chain a scope. They hold ids, counts, hashes and scores,
-- never content, and go with the scope. A certificate is current as long as the log tells of nothing that changes the
-- evidence after its position; that is asked of the log when somebody wants to know, so nobody who writes pays for it.

create table certificates (
  tenant_id      uuid not null,
  scope_id       text collate "C" not null,
  -- Its place in the chain of the scope.
  number         integer not null check (number > 0),
  certificate_id uuid not null,
  epoch          integer not null,
  log_position   bigint not null,
  -- Of the whole certificate: what the next one refers to.
  hash           bytea not null check (octet_length(hash) = 32),
  -- As it was signed; jsonb would write its numbers anew.
  certificate    json not null,
  issued_at      timestamptz not null,
  primary key (tenant_id, scope_id, number)
) partition by hash (tenant_id);

call partition_by_tenant('certificates');
call protect_tenant_table('certificates');

grant select, insert, delete on certificates to concord_api;

-- The certificate that nothing was told of yet; null where there is none, or where it was told that the scope is reopened.
alter table scope_convergence
  add column certificate_id     uuid,
  add column certificate_number integer,
  add column certified_position bigint;

-- Where the log tells first of something that changes the evidence, after this position. Whatever is not known to leave it
-- alone is taken to change it.
create function find_new_evidence(tenant uuid, scope text, certified bigint) returns bigint
  language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  return (select l.seq from scope_log l
           where l.tenant_id = tenant and l.scope_id = scope and l.seq > certified -- @point certificate.new-evidence
             and l.kind not in ('runtime.changed', 'convergence.changed', 'scope.declared', 'scope.reopened')
             and not (l.kind = 'decision.made' and l.data ->> 'point' = 'settle_scope')
           order by l.seq limit 1);
end $$;

-- As before, and it tells of the first news after a certificate. The row that says whether there is one is at hand here.
create or replace function note_convergence(tenant uuid, scope text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c        scope_convergence;
  position bigint;
begin
  select * into c from scope_convergence c where c.tenant_id = tenant and c.scope_id = scope
     and (c.state <> c.noted_state or abs(c.score - c.noted_score) >= 10000 or c.certificate_id is not null);
  if not found then return; end if;
  if c.certificate_id is not null then perform tell_reopened(c); end if;
  if c.state = c.noted_state and abs(c.score - c.noted_score) < 10000 then return; end if;
  update scope_heads h set head = h.head + 1 where h.tenant_id = tenant and h.scope_id = scope returning h.head into position;
  insert into scope_log (tenant_id, scope_id, seq, epoch, kind, data)
  values (tenant, scope, position, c.epoch, 'convergence.changed',
          jsonb_build_object('score', trim_scale(c.score / 1000000.0), 'state', c.state, 'blockers', c.blockers));
  insert into convergence_series (tenant_id, scope_id, seq, score, coverage, agreement, resolution, stability, state, ended)
  values (tenant, scope, position, c.score, c.coverage, c.agreement, c.resolution, c.stability, c.state, c.ended);
  update scope_convergence s set points = s.points + 1, noted_score = c.score, noted_state = c.state
   where s.tenant_id = tenant and s.scope_id = scope;
  if c.points >= 10000 then
    delete from convergence_series s where s.tenant_id = tenant and s.scope_id = scope and s.seq =
      (select min(seq) from convergence_series where tenant_id = tenant and scope_id = scope);
  end if;
end $$;

-- Once: the certificate is forgotten by it.
create function tell_reopened(c scope_convergence) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  news     bigint := find_new_evidence(c.tenant_id, c.scope_id, c.certified_position);
  position bigint;
begin
  if news is null then return; end if;
  update scope_heads h set head = h.head + 1 where h.tenant_id = c.tenant_id and h.scope_id = c.scope_id
  returning h.head into position;
  insert into scope_log (tenant_id, scope_id, seq, epoch, kind, data)
  values (c.tenant_id, c.scope_id, position, c.epoch, 'scope.reopened',
          jsonb_build_object('certificate_id', c.certificate_id, 'number', c.certificate_number, 'log_position',
            c.certified_position, 'reopened_at', news));
  update scope_convergence s set certificate_id = null where s.tenant_id = c.tenant_id and s.scope_id = c.scope_id;
end $$;
