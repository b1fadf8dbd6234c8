/** The values that `npm run dev` keeps between runs: secrets and keys, readable by their owner alone, outside the repository. */
import { randomBytes } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_STATE_DIR } from '../services/index.ts'
import type { Services } from '../services/index.ts'
import { portOf } from './port.ts'

export interface DevKeys {
  readonly internalsKey: string
  readonly adminKey: string
  readonly tenantId: string
  readonly tenantKey: string
  readonly scopeId: string
}

export interface DevProfile {
  readonly env: Readonly<Record<string, string>>
  readonly keys: DevKeys | undefined
}

interface Kept {
  readonly masterKey: string
  readonly pepper: string
  readonly keys?: DevKeys
}

const KEPT = join(DEFAULT_STATE_DIR, 'dev.json')
/** For a shell: `set -a; . .services/dev.env; set +a`, and `bin/concord` works. */
const ENV_FILE = join(DEFAULT_STATE_DIR, 'dev.env')

export async function readProfile(services: Services, environment: NodeJS.ProcessEnv): Promise<DevProfile> {
  const kept = await readKept()
  const { url, user, password } = services.nats
  const env = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: portOf(environment),
    LOG_LEVEL: environment['LOG_LEVEL'] ?? 'warn',
    DRAIN_NOTICE_SECONDS: '0',
    DATABASE_URL: services.postgres.url('api'),
    DATABASE_OWNER_URL: services.postgres.url('owner'),
    WORKER_DATABASE_URL: services.postgres.url('worker'),
    NATS_URL: url.replace('//', `//${user}:${password}@`),
    MASTER_KEY: kept?.masterKey ?? `dev:${randomBytes(32).toString('base64')}`,
    KEY_PEPPER: kept?.pepper ?? randomBytes(32).toString('base64'),
    ...modelSettings(environment),
  }
  return { env, keys: kept?.keys }
}

export async function writeProfile({ env, keys }: DevProfile): Promise<void> {
  const kept = { masterKey: env['MASTER_KEY'], pepper: env['KEY_PEPPER'], keys }
  await writeSecret(KEPT, `${JSON.stringify(kept, null, 2)}\n`)
  await writeSecret(
    ENV_FILE,
    Object.entries(env)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  )
}

/** The settings of a language model and of a judge, as the caller has them. */
function modelSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && /^(?:MODEL|JUDGE)_/.test(name)) settings[name] = value
  return settings
}

async function readKept(): Promise<Kept | undefined> {
  try {
    const kept: Kept = JSON.parse(await readFile(KEPT, 'utf8'))
    return kept
  } catch {
    return undefined
  }
}

async function writeSecret(path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600 })
  // The mode above counts only for a new file.
  await chmod(path, 0o600)
}
