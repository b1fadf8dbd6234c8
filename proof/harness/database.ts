/** Questions to the database as its superuser: past every rule by which the service looks at it. */
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'

export type Ask = <Row>(statement: string, values?: readonly unknown[]) => Promise<Row[]>

/** Over a connection of its own: a server that is killed meanwhile rejects the question, and nothing more. */
async function askDatabase<Row>(
  services: Services,
  database: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return withConnection(services, database, (ask) => ask<Row>(statement, values))
}

/** The same for one database, and `count` for a statement that selects a single number under that name. */
export function bindDatabase(services: Services, database: string) {
  const ask: Ask = (statement, values) => askDatabase(services, database, statement, values)
  return {
    ask,
    async count(statement: string, values?: readonly unknown[]): Promise<number> {
      const [row] = await ask<{ count: string }>(statement, values)
      return Number(row?.count ?? 0)
    },
  }
}

/** Over one connection that stays open, so that an answer is milliseconds old and not a new session. */
export async function withConnection<Result>(
  services: Services,
  database: string,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  return asSuperuser(services, (client) => work(oneByOne(client)), database)
}

type Client = Parameters<Parameters<typeof asSuperuser>[1]>[0]

/** Questions at the same time wait for each other, because a connection answers one at a time. */
function oneByOne(client: Client): Ask {
  let before: Promise<unknown> = Promise.resolve()
  return async <Row>(statement: string, values: readonly unknown[] = []) => {
    const asking = before.then(() => client.query(statement, [...values]))
    before = asking.catch(() => undefined)
    return (await asking).rows as Row[]
  }
}
