/** The logs as the database has them, and what a proof of streams does to the database before it begins. */
import type { Fleet } from '../fleet.ts'
import type { Place } from '../places.ts'
import type { LogLine } from './account.ts'

export type Logbook = ReturnType<typeof openLogbook>

const LINE = "kind, coalesce(document_id, data ->> 'contradiction_id', scope_id) as subject"

export function openLogbook({ ask, count }: Fleet) {
  return {
    /** The log of one scope after a position, as its readers must see it. */
    ofScope: ({ tenantId, scopeId }: Place, after: number) =>
      ask<LogLine>(
        `select seq::text as id, ${LINE} from scope_log
          where tenant_id = $1 and scope_id = $2 and seq > $3 order by seq`,
        [tenantId, scopeId, after],
      ),
    /** The log of all scopes after a number, in the order in which every reader must see it. */
    ofAll: (after: number) =>
      ask<LogLine>(
        `select concat_ws(' ', '/tenants/' || tenant_id || '/scopes/' || scope_id, seq) as id, ${LINE} from scope_log
          where kernel_seq > $1 order by kernel_seq, tenant_id, scope_id, seq`,
        [after],
      ),
    /** The last number of the log of all scopes. */
    lastOfAll: () => count('select max(kernel_seq) as count from scope_log'),
    /** Gives a scope a long log at one stroke. */
    fill: async ({ tenantId, scopeId }: Place, entries: number) =>
      void (await ask(
        `with head as (
           update scope_heads set head = head + $3 where tenant_id = $1 and scope_id = $2 returning epoch, head)
         insert into scope_log (tenant_id, scope_id, seq, epoch, kind, document_id, version)
         select $1, $2, head - $3 + place, epoch, 'document.registered', 'filler-' || place, 0
           from head, generate_series(1, $3::int) place`,
        [tenantId, scopeId, entries],
      )),
    /** From now on, some transactions that write a log take their time to commit. */
    async delayCommits(): Promise<void> {
      await ask(DELAY_FUNCTION)
      await ask(DELAY_TRIGGER)
    },
  }
}

/** At the commit itself, when numbers have been given out and nobody else can see the rows yet. */
const DELAY_FUNCTION = `
  create function delay_commit() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(random() * 0.05);
    return null;
  end $$`

const DELAY_TRIGGER = `
  create constraint trigger delay_commit after insert on scope_log deferrable initially deferred
  for each row when (random() < 0.01) execute function delay_commit()`
