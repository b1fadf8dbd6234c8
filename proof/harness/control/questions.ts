/** Questions to the database over one open connection, so that an answer is milliseconds old and not a new session. */
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'

export type Ask = <Row>(statement: string, values?: readonly unknown[]) => Promise<Row[]>

export async function withQuestions<Result>(
  services: Services,
  database: string,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  return asSuperuser(services, async (client) => work(oneByOne(client)), database)
}

type Client = Parameters<Parameters<typeof asSuperuser>[1]>[0]

/** Those who ask at the same time wait for each other, because a connection answers one question at a time. */
function oneByOne(client: Client): Ask {
  let before: Promise<unknown> = Promise.resolve()
  return async <Row>(statement: string, values: readonly unknown[] = []) => {
    const asking = before.then(() => client.query(statement, [...values]))
    before = asking.catch(() => undefined)
    return (await asking).rows as Row[]
  }
}

/** As text: a Date has no microseconds, and what happened just before would seem to come after it. */
export async function askClock(ask: Ask): Promise<string> {
  const [row] = await ask<{ at: string }>('select clock_timestamp()::text as at')
  if (!row) throw new Error('Postgres did not tell the time.')
  return row.at
}
