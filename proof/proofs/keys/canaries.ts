/** Looks for every secret of the run in every place where one could have been written down. */
import { readFile } from 'node:fs/promises'
import { asSuperuser } from '@concord/tools/launch'
import { prefixOf, secretOf } from '../../harness/forged-keys.ts'
import type { RawEventStream } from '../../harness/http/event-stream.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { provoke } from './provocations.ts'
import type { Stage } from './stage.ts'

/** The traces of documents where they belong: ids. */
export interface DocumentTraces {
  /** The entries that the stream of all scopes sent meanwhile. */
  readonly events: RawEventStream
  /** Stands in it, and on every disk. */
  readonly scopeId: string
}

export async function proveCanaries(
  { figures, print }: ProofRun,
  stage: Stage,
  statements: ReadonlySet<string>,
  traces: DocumentTraces,
): Promise<void> {
  const { injected, misplaced } = await provoke(stage)
  const { keys, contentMark, sealedMark } = stage.evidence
  const places = await placesOf(stage, statements, traces)
  const sizes = places.map(({ name, text }) => `${name} (${Math.ceil(text.length / 1024)} KiB)`)
  figures.note('keys made in this run', keys.size)
  figures.note('searched', sizes.join(', '))
  const controls = places.filter(({ text, control }) => text.includes(control))
  figures.exactly('searched places in which a known text was found', controls.length, places.length)
  const search = (what: string, needles: readonly string[]) => {
    const found = places.flatMap((place) => findIn(place, needles))
    for (const line of found.slice(0, SHOWN)) print(`! ${what} in ${line}`)
    figures.exactly(`${what} found`, found.length, 0)
  }
  search('secrets', [...secretsOf(stage), ...misplaced])
  search('contents', [contentMark, sealedMark])
  search('injected request ids', injected)
  const ids = [...keys].map((key) => prefixOf(key).slice('ck_t_'.length))
  figures.atLeast('ids of keys found in the database', await countInDatabase(stage, ids), 1)
  const whole = [...keys].flatMap((key) => [key, secretOf(key)])
  figures.exactly('keys found in the database', await countInDatabase(stage, whole), 0)
}

const SHOWN = 5
const CONTEXT = 160

interface Place {
  readonly name: string
  readonly text: string
  /** Something that is known to stand there: proof that the place was really looked at. */
  readonly control: string
}

/** The text before the first of each; the secret itself is not shown again. */
function findIn({ name, text }: Place, needles: readonly string[]): string[] {
  return needles.flatMap((needle) => {
    const at = needle === '' ? -1 : text.indexOf(needle)
    return at === -1 ? [] : [`${name}, behind: …${text.slice(Math.max(0, at - CONTEXT), at)}`]
  })
}

/** Output of processes, responses and logs of servers. */
async function placesOf(
  { deployment, clients, evidence, services }: Stage,
  statements: ReadonlySet<string>,
  { events, scopeId }: DocumentTraces,
): Promise<Place[]> {
  const ask = async (path: string) => (await clients[0].send({ path })).text
  const postgresLog = (await readFile(services.postgres.logFile)).subarray(evidence.logStart).toString('utf8')
  const natsLog = await readFile(services.nats.logFile, 'utf8')
  return [
    // The log names who asked by the prefix of the key.
    { name: 'the output of all processes', text: deployment.output(), control: '"actor":"ck_a_' },
    { name: 'all answers that refuse', text: evidence.errorBodies.join('\n'), control: 'credential_invalid' },
    { name: '/openapi.json', text: await ask('/openapi.json'), control: 'BearerAuth' },
    { name: '/docs', text: await ask('/docs'), control: '/openapi.json' },
    { name: 'the events of all scopes', text: events.text(), control: scopeId },
    { name: 'statements shown by Postgres', text: [...statements].join('\n'), control: 'from keys where' },
    { name: 'the log of Postgres', text: postgresLog, control: 'LOG:  checkpoint' },
    { name: 'the log of NATS', text: natsLog, control: 'Server is ready' },
  ]
}

/** Whole, and the part that matters: a secret cut off from its prefix is still a secret. */
function secretsOf({ evidence: { keys }, deployment: { env }, services }: Stage): string[] {
  const masterKey = env['MASTER_KEY']?.split(':')[1] ?? ''
  const inOtherForms = [masterKey, env['KEY_PEPPER'] ?? ''].flatMap((secret) => {
    const bytes = Buffer.from(secret, 'base64')
    return [secret, bytes.toString('hex'), bytes.toString('base64url')]
  })
  const { api, owner } = services.postgres.roles
  const passwords = [api.password, owner.password, services.nats.password]
  return [...[...keys].flatMap((key) => [key, secretOf(key)]), ...inOtherForms, ...passwords]
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
