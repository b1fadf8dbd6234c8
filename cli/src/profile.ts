/** Where the service is and who asks: kept in a file of its owner alone, by name, or told by the environment. */
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { requireAddress } from './address.ts'
import type { CliEnvironment } from './environment.ts'

export interface Profile {
  readonly url: string
  readonly tenantId: string
  readonly tenantKey: string
  /** The scope that is meant where a command names none. */
  readonly scopeId?: string
}

/** The option of commands that use a profile, as `option` takes it. */
export const PROFILE = ['--profile <name>', 'another profile than the default'] as const

export interface ProfileOptions {
  readonly profile?: string
}

interface Kept {
  readonly url: string
  readonly tenant_id: string
  readonly tenant_key: string
  readonly scope_id?: string
}

interface KeptProfiles {
  readonly profiles: Readonly<Record<string, Kept>>
}

const NAMES = ['CONCORD_URL', 'TENANT_ID', 'TENANT_KEY'] as const
const DEFAULT_NAME = 'default'
const OTHERS = 0o077

function profilePath(environment: CliEnvironment): string {
  const base = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config')
  return join(base, 'concord', 'profiles.json')
}

export function profileName({ profile }: ProfileOptions, environment: CliEnvironment): string {
  return profile ?? (environment['CONCORD_PROFILE'] || DEFAULT_NAME)
}

/** One that is named outweighs the environment, which outweighs the default. Never a part of each: a key goes where it belongs. */
export async function readProfile(options: ProfileOptions, environment: CliEnvironment): Promise<Profile> {
  const given = options.profile === undefined ? fromEnvironment(environment) : undefined
  if (given) return given
  const name = profileName(options, environment)
  const kept = (await readKept(profilePath(environment))).profiles[name]
  if (!kept)
    throw new Error(
      `There is no profile ${name}; make it with concord init${name === DEFAULT_NAME ? '' : ` --profile ${name}`}, or set ${NAMES.join(', ')}.`,
    )
  return {
    url: kept.url,
    tenantId: kept.tenant_id,
    tenantKey: kept.tenant_key,
    ...(kept.scope_id !== undefined && { scopeId: kept.scope_id }),
  }
}

/** The environment names address, tenant and key together, or nothing is taken from it. */
export function wholeEnvironment(environment: CliEnvironment): Profile | undefined {
  const [url, tenantId, tenantKey] = NAMES.map((name) => environment[name] || undefined)
  if (!url || !tenantId || !tenantKey) return undefined
  const scopeId = environment['CONCORD_SCOPE'] || undefined
  return { url: requireAddress(url, 'CONCORD_URL'), tenantId, tenantKey, ...(scopeId && { scopeId }) }
}

function fromEnvironment(environment: CliEnvironment): Profile | undefined {
  const whole = wholeEnvironment(environment)
  // The other two are names that something else may use as well.
  if (whole || !environment['CONCORD_URL']) return whole
  const missing = NAMES.filter((name) => !environment[name])
  throw new Error(`The environment names the service in part: set ${missing.join(' and ')} too, or none.`)
}

export async function writeProfile(
  name: string,
  { url, tenantId, tenantKey, scopeId }: Profile,
  environment: CliEnvironment,
): Promise<string> {
  const path = profilePath(environment)
  const { profiles } = await readKept(path)
  const one: Kept = {
    url,
    tenant_id: tenantId,
    tenant_key: tenantKey,
    ...(scopeId !== undefined && { scope_id: scopeId }),
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Written beside it and moved: whoever reads meanwhile finds the old one or the new one.
  const beside = `${path}.${process.pid}`
  await writeFile(beside, `${JSON.stringify({ profiles: { ...profiles, [name]: one } }, null, 2)}\n`, {
    mode: 0o600,
  })
  await chmod(beside, 0o600)
  await rename(beside, path)
  return path
}

async function readKept(path: string): Promise<KeptProfiles> {
  const file = await stat(path).catch(() => undefined)
  if (!file) return { profiles: {} }
  if ((file.mode & OTHERS) !== 0)
    throw new Error(`Others may read ${path}, which holds keys; run chmod 600 on it.`)
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this file wrote
    return JSON.parse(await readFile(path, 'utf8')) as KeptProfiles
  } catch {
    throw new Error(`${path} is no JSON any more; mend it, or remove it and run concord init.`)
  }
}
