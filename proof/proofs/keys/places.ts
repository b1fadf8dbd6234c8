/** Where a secret could have been written down: what processes print, what answers say, what servers log and store. */
import { readFile } from 'node:fs/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { EventStream } from '../../harness/http/event-stream.ts'
import type { Stage } from './stage.ts'

/** What documents left behind where it belongs: ids. */
export interface DocumentTraces {
  /** What the stream of all scopes told meanwhile. */
  readonly events: EventStream
  /** Stands in it, and on every disk. */
  readonly scopeId: string
}

export interface Place {
  readonly name: string
  readonly text: string
  /** Something that is known to stand there: proof that the place was really looked at. */
  readonly control: string
}

export async function placesOf(
  stage: Stage,
  statements: ReadonlySet<string>,
  { events, scopeId }: DocumentTraces,
): Promise<Place[]> {
  const { deployment, callers, evidence, services } = stage
  const ask = async (path: string) => (await callers[0].send({ path })).text
  return [
    // The log names who asked by the prefix of the key.
    { name: 'the output of all processes', text: deployment.output(), control: '"actor":"ck_a_' },
    { name: 'all answers that refuse', text: evidence.errorBodies.join('\n'), control: 'credential_invalid' },
    { name: '/openapi.json', text: await ask('/openapi.json'), control: 'BearerAuth' },
    { name: '/docs', text: await ask('/docs'), control: '/openapi.json' },
    { name: 'the events of all scopes', text: events.text(), control: scopeId },
    { name: 'statements shown by Postgres', text: [...statements].join('\n'), control: 'from keys where' },
    {
      name: 'the log of Postgres',
      text: (await readFile(services.postgres.logFile)).subarray(evidence.logStart).toString('utf8'),
      control: 'LOG:  checkpoint',
    },
    {
      name: 'the log of NATS',
      text: await readFile(services.nats.logFile, 'utf8'),
      control: 'Server is ready',
    },
  ]
}

/** Every row of every table as text; bytes are shown there in hexadecimal, so that form is looked for as well. */
export async function countInDatabase(
  { services, deployment }: Stage,
  needles: readonly string[],
): Promise<number> {
  const forms = needles.flatMap((needle) => [needle, Buffer.from(needle).toString('hex')])
  return asSuperuser(
    services,
    async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
          where schemaname not in ('pg_catalog', 'information_schema')`,
      )
      let found = 0
      for (const { name } of tables) {
        const { rows } = await client.query<{ found: number }>(
          `select count(*)::int as found from ${name} as row, unnest($1::text[]) as needle
            where position(needle in row::text) > 0`,
          [forms],
        )
        found += rows[0]?.found ?? 0
      }
      return found
    },
    deployment.databaseName,
  )
}
