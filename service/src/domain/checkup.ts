/** The checks of `concord doctor`: each has a verdict and, if something is wrong, advice. Pure rules over facts. */

export type CheckVerdict = 'ok' | 'warn' | 'fail'

export interface Check {
  readonly name: string
  readonly verdict: CheckVerdict
  readonly found: string
  /** Null if there is nothing to do. */
  readonly advice: string | null
}

export const ok = (name: string, found: string): Check => ({ name, verdict: 'ok', found, advice: null })

export const warning = (name: string, found: string, advice: string): Check => ({
  name,
  verdict: 'warn',
  found,
  advice,
})

export const failed = (name: string, found: string, advice: string): Check => ({
  name,
  verdict: 'fail',
  found,
  advice,
})

/** Returns the worst verdict. */
export function overallVerdict(checks: readonly Check[]): CheckVerdict {
  if (checks.some(({ verdict }) => verdict === 'fail')) return 'fail'
  return checks.some(({ verdict }) => verdict === 'warn') ? 'warn' : 'ok'
}

export interface ServerFacts {
  /** The version for people; `versionNumber` is the number to compare. */
  readonly version: string
  readonly versionNumber: number
  readonly user: string
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
}

const OLDEST_POSTGRES = 150_000
/** The maximum latency in milliseconds: every document waits for several round trips. */
const SLOW_MS = 20

export function judgePostgres(name: string, facts: ServerFacts, latencyMs: number): Check {
  const found = `Postgres ${facts.version} as ${facts.user}, answers in ${latencyMs.toFixed(1)} ms`
  if (facts.versionNumber < OLDEST_POSTGRES) return failed(name, found, 'use Postgres 15 or newer')
  if (latencyMs > SLOW_MS)
    return warning(name, found, 'run the service nearer to its database: every request waits for it')
  return ok(name, found)
}

/** Returns the names of the durability settings that are off. */
function namesOfUndurable({ fsync, fullPageWrites, synchronousCommit }: ServerFacts): string[] {
  const settings = { fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit }
  return Object.entries(settings).flatMap(([name, setting]) => (setting === 'off' ? [name] : []))
}

/** Returns sentences that say why an accepted document could be lost when the server fails. */
export function describeUndurable(facts: ServerFacts): string[] {
  return namesOfUndurable(facts).map(
    (name) =>
      `${name} is off, so Postgres can lose documents that were accepted; turn it on, for the role as well (DATABASE_DURABILITY=unchecked is for development)`,
  )
}

/** A 202 promises that the document is on disk. The promise depends on these settings. */
export function judgeDurability(facts: ServerFacts): Check {
  const off = namesOfUndurable(facts)
  if (off.length === 0)
    return ok('durability', `synchronous_commit is ${facts.synchronousCommit}, fsync is on`)
  const names = off.join(', ')
  return failed(
    'durability',
    `${names} is off`,
    `turn on ${names} in Postgres: accepted documents can be lost without`,
  )
}

const CLOCK_MS = 1_000

/** `slackMs` is the possible error of the measurement. */
export function judgeClock(offsetMs: number, slackMs: number): Check {
  const seconds = (offsetMs / 1000).toFixed(3)
  const found = `this machine and Postgres differ by ${seconds} s`
  if (Math.abs(offsetMs) - slackMs <= CLOCK_MS) return ok('clock', found)
  return warning(
    'clock',
    found,
    'set both by NTP: times in answers are of Postgres, signatures of gateways are judged here',
  )
}

export interface SchemaFacts {
  readonly applied: number
  readonly expected: number
  /** Sentences that say why this release cannot run on the schema. */
  readonly mismatches: readonly string[]
  /** Migrations of a newer release that are compatible with this one. */
  readonly unknown: number
  /** Migrations whose text has changed since they ran. */
  readonly changed: readonly string[]
  /** Functions that are missing or of another release. */
  readonly otherFunctions: readonly string[]
}

export function judgeSchema(facts: SchemaFacts): Check {
  const { applied, expected, mismatches, unknown, changed, otherFunctions } = facts
  const name = 'migrations'
  const found = `${applied} applied, this release has ${expected}`
  if (changed.length > 0)
    return failed(
      name,
      `${changed.join(', ')} changed after it ran`,
      'run the release that the schema is of, or put the file back',
    )
  if (mismatches.length > 0) return failed(name, found, mismatches.join('; '))
  if (unknown > 0)
    return warning(name, found, 'a newer release was here; deploy it on this machine too when you can')
  if (otherFunctions.length > 0)
    return warning(
      name,
      `${found}; ${otherFunctions.length} functions are not those of this release (${otherFunctions[0]})`,
      'run concord migrate of the release that is to serve',
    )
  return ok(name, found)
}

export interface BrokerFacts {
  readonly version: string
  /** Whether the account of the connection has JetStream. */
  readonly hasStreams: boolean
  readonly storedBytes: number
  /** Undefined if only the disk limits it. */
  readonly storageLimit: number | undefined
}

const OLDEST_NATS = [2, 15] as const
const ALMOST_FULL = 0.9

export function judgeBroker({ version, hasStreams, storedBytes, storageLimit }: BrokerFacts): Check {
  const room = storageLimit === undefined ? '' : ` of ${inMegabytes(storageLimit)}`
  const found = `NATS ${version}, ${inMegabytes(storedBytes)}${room} stored`
  if (!hasStreams) return failed('nats', `NATS ${version} without JetStream`, 'turn JetStream on in NATS')
  if (!isAtLeast(version, OLDEST_NATS)) return warning('nats', found, 'use NATS 2.15 or newer')
  if (storageLimit !== undefined && storedBytes > storageLimit * ALMOST_FULL)
    return warning('nats', found, 'raise the limit of its file store, or delete streams of others')
  return ok('nats', found)
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number)
  return first > major || (first === major && second >= minor)
}
