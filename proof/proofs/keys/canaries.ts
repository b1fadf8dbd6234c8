/** Looks for every secret of the run in every place where one could have been written down. */
import type { Figures } from '../../harness/figures.ts'
import { prefixOf, secretOf } from '../../harness/forged-keys.ts'
import { countInDatabase, placesOf } from './places.ts'
import type { DocumentTraces, Place } from './places.ts'
import { provoke } from './provocations.ts'
import type { Stage } from './stage.ts'

export interface CanaryDeps {
  readonly stage: Stage
  readonly statements: ReadonlySet<string>
  readonly traces: DocumentTraces
  readonly figures: Figures
  readonly print: (line: string) => void
}

export async function proveCanaries(deps: CanaryDeps): Promise<void> {
  const { stage, statements, traces, figures, print } = deps
  const { injected, misplaced } = await provoke(stage)
  const { keys, contentMark, sealedMark } = stage.evidence
  const places = await placesOf(stage, statements, traces)
  const sizes = places.map(({ name, text }) => `${name} (${Math.ceil(text.length / 1024)} KiB)`)
  figures.note('keys made in this run', keys.size)
  figures.note('searched', sizes.join(', '))
  const controls = places.filter(({ text, control }) => text.includes(control))
  figures.exactly('searched places in which a known text was found', controls.length, places.length)
  const search = (what: string, needles: Iterable<string>) => {
    const found = places.flatMap((place) => findIn(place, needles))
    for (const line of found.slice(0, SHOWN)) print(`! ${what} in ${line}`)
    figures.exactly(`${what} found`, found.length, 0)
  }
  search('secrets', [...secretsOf(stage), ...misplaced])
  search('contents', [contentMark, sealedMark])
  search('injected request ids', injected)
  const ids = [...keys].map((key) => prefixOf(key).slice('ck_t_'.length))
  figures.atLeast('ids of keys found in the database', await countInDatabase(stage, ids), 1)
  figures.exactly(
    'keys found in the database',
    await countInDatabase(stage, [...keys, ...[...keys].map(secretOf)]),
    0,
  )
}

const SHOWN = 5
const CONTEXT = 160

/** What stands before the first of each; the secret itself is not shown again. */
function findIn({ name, text }: Place, needles: Iterable<string>): string[] {
  return [...needles].flatMap((needle) => {
    const at = needle === '' ? -1 : text.indexOf(needle)
    return at === -1 ? [] : [`${name}, behind: …${text.slice(Math.max(0, at - CONTEXT), at)}`]
  })
}

/** Whole, and the part that matters: a secret cut off from its prefix is still a secret. */
function secretsOf({ evidence: { keys }, deployment: { env }, services }: Stage): string[] {
  const masterKey = env['MASTER_KEY']?.split(':')[1] ?? ''
  const pepper = env['KEY_PEPPER'] ?? ''
  const inOtherForms = [masterKey, pepper].flatMap((secret) => {
    const bytes = Buffer.from(secret, 'base64')
    return [secret, bytes.toString('hex'), bytes.toString('base64url')]
  })
  const { api, owner } = services.postgres.roles
  return [
    ...keys,
    ...[...keys].map(secretOf),
    ...inOtherForms,
    api.password,
    owner.password,
    services.nats.password,
  ]
}
