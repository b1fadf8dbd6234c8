-- Computes the score of a scope whenever its inputs change. `scoreScope` in service/src/domain/convergence-score.ts is
-- the same rule, and a test compares the two. It is a trigger because every statement would plan generated columns
-- again, which takes longer than the rest of it.
create or replace function score_convergence() returns trigger language plpgsql as $$
declare
  -- Nothing is covered where there is nothing.
  accepted integer := new.settled + new.unfinished + new.held + new.failed;
  -- A contradiction weighs twice as much as one of the severity below.
  open     bigint := new.open_low + 2 * new.open_medium + 4 * new.open_high + 8 * new.open_critical;
  closed   bigint := new.closed_low + 2 * new.closed_medium + 4 * new.closed_high + 8 * new.closed_critical;
  -- With less than a tenth of its claims compared with another document, nothing is known about a scope.
  enough   bigint := (new.claims + 9) / 10;
begin
  new.coverage := case when accepted = 0 then 0 else share_of(new.characters_read, new.characters) end; -- @point convergence.coverage
  new.agreement := share_of(new.compared - new.contested_claims, greatest(new.compared, enough)); -- @point convergence.agreement
  new.resolution := share_of(closed, open + closed);
  new.stability := share_of(accepted - new.contested_documents, accepted);
  new.blockers := new.open_low + new.open_medium + new.open_high + new.open_critical + new.unfinished + new.held
                    + new.failed + new.gaps + (new.cuts + new.refused > 0)::integer + (new.pending > 0)::integer
                    + (new.not_permitted > 0)::integer + (new.over_budget > 0)::integer;
  -- One means settled, and nothing else.
  new.score := least(new.coverage::bigint * (2 * new.agreement + 2 * new.resolution + new.stability) / 5000000,
                     case when new.blockers > 0 then 999999 else 1000000 end);
  new.state := case when accepted = 0 then 'empty'
                    when new.unfinished + new.pending > 0 then 'working'
                    when new.open_high + new.open_critical > 0 then 'contested'
                    when new.blockers > 0 then 'converging'
                    when new.compared < enough then 'unassessed'
                    else 'settled' end;
  return new;
end $$;

create or replace trigger score_convergence before insert or update on scope_convergence
  for each row execute function score_convergence();
