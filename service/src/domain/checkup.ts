/** The result of a checkup: one line for each thing, with what to do about it. Pure judgement over facts. */

export type CheckVerdict = 'ok' | 'warn' | 'fail'

export interface Check {
  readonly name: string
  readonly verdict: CheckVerdict
  readonly found: string
  /** The advice; null when there is nothing to do. */
  readonly advice: string | null
}

export const well = (name: string, found: string): Check => ({ name, verdict: 'ok', found, advice: null })

export const doubtful = (name: string, found: string, advice: string): Check => ({
  name,
  verdict: 'warn',
  found,
  advice,
})

export const broken = (name: string, found: string, advice: string): Check => ({
  name,
  verdict: 'fail',
  found,
  advice,
})

/** The worst of them. */
export function overallVerdict(checks: readonly Check[]): CheckVerdict {
  if (checks.some(({ verdict }) => verdict === 'fail')) return 'fail'
  return checks.some(({ verdict }) => verdict === 'warn') ? 'warn' : 'ok'
}

export interface ServerFacts {
  /** The version as people write it, and one that can be compared. */
  readonly version: string
  readonly versionNumber: number
  readonly user: string
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
}

const OLDEST_POSTGRES = 150_000
/** Every document waits for a few of them. */
const SLOW_MS = 20

export function judgePostgres(name: string, facts: ServerFacts, latencyMs: number): Check {
  const found = `Postgres ${facts.version} as ${facts.user}, answers in ${latencyMs.toFixed(1)} ms`
  if (facts.versionNumber < OLDEST_POSTGRES) return broken(name, found, 'use Postgres 15 or newer')
  if (latencyMs > SLOW_MS)
    return doubtful(name, found, 'run the service nearer to its database: every request waits for it')
  return well(name, found)
}

/** The settings without which a commit may be lost, by name; none where all are on. */
function namesOfUndurable({ fsync, fullPageWrites, synchronousCommit }: ServerFacts): string[] {
  const settings = { fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit }
  return Object.entries(settings).flatMap(([name, setting]) => (setting === 'off' ? [name] : []))
}

/** The reasons why a document that was accepted could be lost when the server fails, in sentences. */
export function describeUndurable(facts: ServerFacts): string[] {
  return namesOfUndurable(facts).map(
    (name) =>
      `${name} is off, so Postgres can lose documents that were accepted; turn it on, for the role as well (DATABASE_DURABILITY=unchecked is for development)`,
  )
}

/** A 202 promises that the document is on disk, and these are what the promise rests on. */
export function judgeDurability(facts: ServerFacts): Check {
  const off = namesOfUndurable(facts)
  if (off.length === 0)
    return well('durability', `synchronous_commit is ${facts.synchronousCommit}, fsync is on`)
  const names = off.join(', ')
  return broken(
    'durability',
    `${names} is off`,
    `turn on ${names} in Postgres: accepted documents can be lost without`,
  )
}

const CLOCK_MS = 1_000

/** `slackMs` is how wrong the comparison itself may be. */
export function judgeClock(offsetMs: number, slackMs: number): Check {
  const seconds = (offsetMs / 1000).toFixed(3)
  const found = `this machine and Postgres differ by ${seconds} s`
  if (Math.abs(offsetMs) - slackMs <= CLOCK_MS) return well('clock', found)
  return doubtful(
    'clock',
    found,
    'set both by NTP: times in answers are of Postgres, signatures of gateways are judged here',
  )
}

export interface SchemaFacts {
  readonly applied: number
  readonly expected: number
  /** Why this release cannot run on the schema, in sentences. */
  readonly mismatches: readonly string[]
  /** Migrations that only a newer release knows, and that do no harm to this one. */
  readonly unknown: number
  /** Those whose text is no longer the one that ran. */
  readonly changed: readonly string[]
  /** Functions that another release installed, or nobody. */
  readonly otherFunctions: readonly string[]
}

export function judgeSchema(facts: SchemaFacts): Check {
  const { applied, expected, mismatches, unknown, changed, otherFunctions } = facts
  const name = 'migrations'
  const found = `${applied} applied, this release has ${expected}`
  if (changed.length > 0)
    return broken(
      name,
      `${changed.join(', ')} changed after it ran`,
      'run the release that the schema is of, or put the file back',
    )
  if (mismatches.length > 0) return broken(name, found, mismatches.join('; '))
  if (unknown > 0)
    return doubtful(name, found, 'a newer release was here; deploy it on this machine too when you can')
  if (otherFunctions.length > 0)
    return doubtful(
      name,
      `${found}; ${otherFunctions.length} functions are not those of this release (${otherFunctions[0]})`,
      'run concord migrate of the release that is to serve',
    )
  return well(name, found)
}

export interface BrokerFacts {
  readonly version: string
  /** Whether it offers JetStream to whoever connected. */
  readonly hasStreams: boolean
  readonly storedBytes: number
  /** Undefined where nothing limits it but its disk. */
  readonly storageLimit: number | undefined
}

const OLDEST_NATS = [2, 15] as const
const ALMOST_FULL = 0.9

export function judgeBroker({ version, hasStreams, storedBytes, storageLimit }: BrokerFacts): Check {
  const room = storageLimit === undefined ? '' : ` of ${inMegabytes(storageLimit)}`
  const found = `NATS ${version}, ${inMegabytes(storedBytes)}${room} stored`
  if (!hasStreams) return broken('nats', `NATS ${version} without JetStream`, 'turn JetStream on in NATS')
  if (!isAtLeast(version, OLDEST_NATS)) return doubtful('nats', found, 'use NATS 2.15 or newer')
  if (storageLimit !== undefined && storedBytes > storageLimit * ALMOST_FULL)
    return doubtful('nats', found, 'raise the limit of its file store, or delete streams of others')
  return well('nats', found)
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number)
  return first > major || (first === major && second >= minor)
}
