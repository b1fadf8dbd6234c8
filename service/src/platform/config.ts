/**
 * Configuration: one schema parses the environment once into a frozen value. All faults are reported together, and a
 * variable that looks like a misspelt setting is reported instead of ignored.
 */
import { z } from 'zod'
import { wholeNumber, wholeNumberOrNone } from './config-numbers.ts'
import { findHalfEndpoints, isLoopback, judgeSettings, LOOPBACK, modelSettings } from './endpoint-settings.ts'
import { KEYS_KNOWN_SECONDS } from './idempotency.ts'
import { nearestName } from './spelling.ts'

export { isLoopback }

const address = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be an address that starts with ${protocols.map((each) => `${each}//`).join(' or ')}`,
    )

const secret32 = z
  .string()
  .transform((value) => Buffer.from(value, 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 random bytes in base64 (openssl rand -base64 32)')

/** Origins as browsers send them, separated by commas, or `*` for every origin. */
const origins = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  )
  .refine(
    (all) => all.every((each) => each === '*' || isOrigin(each)),
    'must be origins without a path, such as https://app.example.com, several separated by commas, or *',
  )

/** Secrets separated by commas. The first one is used for new values; all are accepted. */
const secrets32 = z
  .string()
  .transform((value) => value.split(',').map((each) => Buffer.from(each.trim(), 'base64')))
  .refine(
    (all): all is SecretList => all.every((bytes) => bytes.length === 32),
    'must be 32 random bytes in base64, several separated by commas (openssl rand -base64 32)',
  )

/** Keys as `id:base64`, separated by commas. The first one encrypts; all of them decrypt. */
const masterKeys = z
  .string()
  .transform((value) => value.split(',').map(parseMasterKey))
  .refine(
    (keys): keys is MasterKeyBytes[] => keys.every((key) => key !== undefined),
    'must be ID:BASE64 of 32 random bytes, several separated by commas (echo "mk1:$(openssl rand -base64 32)")',
  )
  .refine(
    (keys) => new Set(keys.map((key) => key?.id)).size === keys.length,
    'must name each master key once',
  )

const everyProcess = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  NATS_URL: address(['nats:', 'tls:']),
  SUBJECT_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'must be lower-case words separated by dots')
    .default('concord'),
  DATABASE_DURABILITY: z.enum(['required', 'unchecked']).default('required'),
  MASTER_KEY: masterKeys,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: wholeNumberOrNone(1, 65_535),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(['http:', 'https:']).optional(),
  TRACES_PER_SECOND: wholeNumber(0, 10_000, 20),
}

/**
 * The limits per tenant and API process, unless the name says otherwise; 0 is no limit. They are far above the needs of
 * one tenant.
 */
const limits = {
  RATE_REQUESTS_PER_SECOND: wholeNumber(0, 1_000_000, 10_000),
  RATE_BYTES_PER_SECOND: wholeNumber(0, 100_000_000_000, 268_435_456),
  RATE_BURST_SECONDS: wholeNumber(1, 3_600, 2),
  LIMIT_REQUESTS_AT_ONCE: wholeNumber(0, 1_000_000, 1_000),
  LIMIT_BYTES_IN_FLIGHT: wholeNumber(0, 100_000_000_000, 25_165_824),
  PROCESS_BYTES_IN_FLIGHT: wholeNumber(0, 100_000_000_000, 67_108_864),
  LIMIT_STREAMS: wholeNumber(0, 1_000_000, 20_000),
  LIMIT_QUEUED_DOCUMENTS: wholeNumber(0, 10_000_000, 500_000),
  SERVICE_QUEUED_DOCUMENTS: wholeNumber(0, 10_000_000, 2_000_000),
  AUTH_FAILURES_PER_SECOND: wholeNumber(0, 1_000_000, 100),
  AUTH_FAILURES_BURST: wholeNumber(1, 1_000_000, 20_000),
  SHED_LATE_MS: wholeNumber(0, 60_000, 200),
}

const schema = z.object({
  ...everyProcess,
  ...limits,
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 8080),
  PUBLIC_URL: address(['http:', 'https:']).optional(),
  CORS_ORIGINS: origins.optional(),
  SCOPE_AUTO_CREATE: z.enum(['true', 'false'], 'must be true or false').default('false'),
  DATABASE_URL: address(['postgres:', 'postgresql:']),
  DATABASE_POOL_SIZE: wholeNumber(1, 200, 10),
  KEY_PEPPER: secrets32,
  FINGERPRINT_KEY: secret32.optional(),
  CERTIFICATE_KEY: secrets32.optional(),
  AUTH_MODE: z.enum(['key', 'trusted-gateway', 'insecure-tenant-id']).default('key'),
  GATEWAY_SECRET: secrets32.optional(),
  FILE_READERS: wholeNumber(1, 64, 2),
  DRAIN_NOTICE_SECONDS: wholeNumber(0, 60, 5),
  DRAIN_SECONDS: wholeNumber(0, 300, 20),
})

/** The settings of the dispatcher and the workers, which serve no HTTP API and need no secrets for API keys. */
const kernelSchema = z.object({
  ...everyProcess,
  WORKER_DATABASE_URL: address(['postgres:', 'postgresql:']),
  DISPATCH_WINDOW: wholeNumber(1, 100_000, 512),
  WORKER_CAPACITY: wholeNumber(1, 10_000, 32),
  READERS: wholeNumber(1, 64, 2),
  RETENTION_KEYS_SECONDS: wholeNumber(1, KEYS_KNOWN_SECONDS, KEYS_KNOWN_SECONDS),
  RETENTION_VERSIONS_SECONDS: wholeNumberOrNone(1, 3_153_600_000),
  RETENTION_EVENTS_SECONDS: wholeNumberOrNone(1, 3_153_600_000),
  ...judgeSettings,
  ...modelSettings,
})

/** The settings of the hatchery. Its workers inherit its environment, so it validates their settings too. */
const hatcherySchema = z.object({
  ...kernelSchema.shape,
  HATCHERY_MIN: wholeNumber(0, 1_000, 1),
  HATCHERY_MAX: wholeNumber(1, 1_000, 4),
})

/** The first secret is used for new values; all are accepted. */
export type SecretList = [Buffer<ArrayBuffer>, ...Buffer<ArrayBuffer>[]]

export interface MasterKeyBytes {
  readonly id: string
  readonly bytes: Buffer
}

export type AuthMode = z.output<typeof schema>['AUTH_MODE']

export type Config = Readonly<z.output<typeof schema>>

export type KernelConfig = Readonly<z.output<typeof kernelSchema>>

export type HatcheryConfig = Readonly<z.output<typeof hatcherySchema>>

/** Every variable of the service. Each secret may also be set as NAME_FILE. */
export const configNames: readonly string[] = Object.keys({ ...schema.shape, ...hatcherySchema.shape })

export const secretNames = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'BACKUP_DATABASE_URL',
  'WORKER_DATABASE_URL',
  'NATS_URL',
  'MASTER_KEY',
  'KEY_PEPPER',
  'FINGERPRINT_KEY',
  'CERTIFICATE_KEY',
  'GATEWAY_SECRET',
  'JUDGE_API_KEY',
  'MODEL_API_KEY',
] as const

export class ConfigFault extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault(s):\n${faults.map((each) => `  - ${each}`).join('\n')}`,
    )
    this.name = 'ConfigFault'
    this.faults = faults
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

export function parseConfig(environment: Environment): Config {
  return parse(schema, environment, findUnsafeCombinations(dropEmpty(environment)))
}

export type WholeConfig = Config & KernelConfig

/** Parses the settings of a process that runs all roles. */
export function parseWholeConfig(environment: Environment): WholeConfig {
  const whole = z.object({ ...kernelSchema.shape, ...schema.shape })
  const present = dropEmpty(environment)
  return parse(whole, environment, [...findUnsafeCombinations(present), ...findHalfEndpoints(present)])
}

export function parseKernelConfig(environment: Environment): KernelConfig {
  return parse(kernelSchema, environment, findHalfEndpoints(dropEmpty(environment)))
}

export function parseHatcheryConfig(environment: Environment): HatcheryConfig {
  const { HATCHERY_MIN: min = '1', HATCHERY_MAX: max = '4' } = dropEmpty(environment)
  const crossed = Number(min) > Number(max) ? ['HATCHERY_MIN must not be above HATCHERY_MAX'] : []
  return parse(hatcherySchema, environment, [...crossed, ...findHalfEndpoints(dropEmpty(environment))])
}

export interface InspectedConfig {
  /** The valid settings. */
  readonly settings: Partial<WholeConfig>
  readonly faults: readonly string[]
}

/** Parses as much as is valid, for `concord doctor`. No process may run on it, because settings may be missing. */
export function inspectConfig(environment: Environment): InspectedConfig {
  try {
    return { settings: parseWholeConfig(environment), faults: [] }
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error
    const present = dropEmpty(environment)
    const right = Object.entries<z.ZodType>({ ...kernelSchema.shape, ...schema.shape }).flatMap(
      ([name, field]) => {
        const parsed = field.safeParse(present[name])
        return parsed.success ? [[name, parsed.data] as const] : []
      },
    )
    return { settings: Object.fromEntries(right), faults: error.faults }
  }
}

function parse<Shape extends z.ZodRawShape>(
  wanted: z.ZodObject<Shape>,
  environment: Environment,
  unsafe: readonly string[],
): Readonly<z.output<z.ZodObject<Shape>>> {
  const parsed = wanted.safeParse(dropEmpty(environment))
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${describe(issue, environment)}`),
    ...findMisspelt(environment),
    ...unsafe,
  ]
  if (parsed.success && faults.length === 0) return Object.freeze(parsed.data)
  throw new ConfigFault(faults)
}

/** Short names are left out: HOME is two edits from HOST, and PATH from PORT. */
function findMisspelt(environment: Environment): string[] {
  const ours = configNames.filter((name) => name.length >= 8)
  return Object.keys(environment)
    .filter((name) => !configNames.includes(name))
    .flatMap((name) => {
      const meant = nearestName(name, ours)
      // A missing required setting is reported by itself.
      return meant && environment[meant] === undefined && !isRequired(meant)
        ? [`${name} is not known; did you mean ${meant}?`]
        : []
    })
}

function isRequired(name: string): boolean {
  const field = new Map<string, z.ZodType>(Object.entries({ ...schema.shape, ...hatcherySchema.shape })).get(
    name,
  )
  return field !== undefined && !field.safeParse(undefined).success
}

/** Used only by `concord migrate`, which needs no other setting. */
export function parseOwnerUrl(environment: Environment): string {
  return orThrow(readOwnerUrl(environment))
}

/** Used only by `concord backup`. */
export function parseBackupUrl(environment: Environment): string {
  return orThrow(readUrl(environment, 'BACKUP_DATABASE_URL', 'a role that may read every row'))
}

export interface RestoreConfig {
  readonly ownerUrl: string
  readonly masterKeys: readonly MasterKeyBytes[]
}

export function parseRestoreConfig(environment: Environment): RestoreConfig {
  const owner = readOwnerUrl(environment)
  const keys = masterKeys.safeParse(environment['MASTER_KEY'] ?? '')
  const keyFaults = (keys.error?.issues ?? []).map(({ message }) => `MASTER_KEY ${message}`)
  if (keys.success) return { ownerUrl: orThrow(owner), masterKeys: keys.data }
  throw new ConfigFault([...('fault' in owner ? [owner.fault] : []), ...keyFaults])
}

type ReadUrl = { readonly url: string } | { readonly fault: string }

const readOwnerUrl = (environment: Environment): ReadUrl =>
  readUrl(environment, 'DATABASE_OWNER_URL', 'the role that owns the tables')

function readUrl(environment: Environment, name: string, whose: string): ReadUrl {
  const parsed = address(['postgres:', 'postgresql:']).safeParse(environment[name])
  return parsed.success
    ? { url: parsed.data }
    : { fault: `${name} must be the postgres:// address of ${whose}` }
}

function orThrow(read: ReadUrl): string {
  if ('url' in read) return read.url
  throw new ConfigFault([read.fault])
}

/** In compose files an empty variable means "not set". */
function dropEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
}

function describe(issue: z.core.$ZodIssue, environment: Environment): string {
  const name = String(issue.path[0])
  if (environment[name]) return issue.message
  const misspelt = nearestName(
    name,
    Object.keys(environment).filter((each) => !configNames.includes(each)),
  )
  return misspelt ? `is not set; did you mean it by ${misspelt}?` : 'is not set'
}

/** Reads the raw variables, so that it also reports while other settings are invalid. */
function findUnsafeCombinations(environment: Environment): string[] {
  const {
    AUTH_MODE: mode,
    FINGERPRINT_KEY: fingerprintKey,
    GATEWAY_SECRET: secret,
    KEY_PEPPER: pepper = '',
    HOST: host = '127.0.0.1',
    NODE_ENV: kind = 'production',
  } = environment
  const faults: string[] = []
  if (mode === 'trusted-gateway' && !secret)
    faults.push('GATEWAY_SECRET is required when AUTH_MODE is trusted-gateway')
  if (pepper.includes(',') && !fingerprintKey)
    faults.push(
      'FINGERPRINT_KEY is required when KEY_PEPPER lists several; set it to the pepper that was in use until now, or every document that is sent again becomes a new version',
    )
  if (mode === 'insecure-tenant-id' && !LOOPBACK.has(host))
    faults.push('AUTH_MODE insecure-tenant-id is refused unless HOST is a loopback address')
  if (mode === 'insecure-tenant-id' && kind === 'production')
    faults.push('AUTH_MODE insecure-tenant-id is refused in production (NODE_ENV is production unless set)')
  return faults
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).origin === value
}

function parseMasterKey(entry: string): MasterKeyBytes | undefined {
  const [, id, encoded] = /^([A-Za-z0-9_-]{1,32}):(.+)$/.exec(entry.trim()) ?? []
  if (!id || !encoded) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.length === 32 ? { id, bytes } : undefined
}
