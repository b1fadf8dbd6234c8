/**
 * Counts the results that come too late: those that the statement which settles attempts refuses, because what they belong
 * to is gone. The service says nothing of them, so the database is made to note each, in the commit that refused it.
 */
import type { Ask } from '../../harness/database.ts'

export async function watchLateResults(ask: Ask): Promise<void> {
  for (const statement of [NOTES, GRANT, SET_ASIDE, WATCHED]) await ask(statement)
}

export async function countLateResults(ask: Ask): Promise<number> {
  const [row] = await ask<{ count: number }>('select count(*)::int as count from late_results')
  return row?.count ?? 0
}

const NOTES = 'create table late_results (at timestamptz not null default clock_timestamp())'

const GRANT = 'grant insert on late_results to concord_worker'

const SET_ASIDE =
  'alter function complete_attempts_of(uuid, json, bytea, json) rename to complete_attempts_unwatched'

const WATCHED = `
  create function complete_attempts_of(tenant uuid, items json, content bytea, decisions_made json)
    returns setof settle_answer
    language plpgsql as $$
  declare
    answer settle_answer;
  begin
    for answer in select * from complete_attempts_unwatched(tenant, items, content, decisions_made) loop
      if answer.outcome = 'stale' then
        insert into late_results default values;
      end if;
      return next answer;
    end loop;
  end $$`
