/** `concord init`: keeps where the service is and the key, once both have answered. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { requireAddress } from './address.ts'
import { clientOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { JSON_OUTPUT, printRecord } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { profileName, wholeEnvironment, writeProfile } from './profile.ts'
import type { Profile, ProfileOptions } from './profile.ts'
import { canAsk, openPrompts, readStdin } from './prompting.ts'
import type { Prompts } from './prompting.ts'

interface InitOptions extends OutputOptions, ProfileOptions {
  readonly url?: string
  readonly tenant?: string
  readonly keyFile?: string
  readonly scope?: string
}

export function addInitCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('init')
    .description('store the address of the service and your key, after checking both')
    .option('--url <address>', 'where the service is, e.g. https://concord.example.com')
    .option('--tenant <id>', 'your tenant id')
    .option('--key-file <path>', 'a file with the tenant key, or - for the standard input')
    .option('--scope <id>', 'the default scope of commands')
    .option('--profile <name>', 'keep it under this name instead of "default"')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
What you leave out is asked for at a terminal. With none of --url, --tenant and --key-file, and with CONCORD_URL, TENANT_ID
and TENANT_KEY all set, these three are taken.
The key is never an option, because those are seen by others and kept by shells, and never printed.

  concord init --url http://127.0.0.1:8080 --tenant 6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66
  pass concord | concord init --url https://concord.example.com --tenant … --key-file - --profile work`,
    )
    .action(async (options: InitOptions) => {
      const name = profileName(options, environment)
      const profile = await gather(options, environment)
      await tryOut(profile)
      const path = await writeProfile(name, profile, environment)
      printRecord(
        {
          profile: name,
          url: profile.url,
          tenant_id: profile.tenantId,
          scope_id: profile.scopeId ?? null,
          path,
        },
        options,
      )
    })
}

/** Address, tenant and key come from the environment together, or none of them does: a key goes where it belongs. */
async function gather(options: InitOptions, environment: CliEnvironment): Promise<Profile> {
  const scope = options.scope === undefined ? {} : { scopeId: options.scope }
  const given = isNamed(options) ? undefined : wholeEnvironment(environment)
  if (given) {
    process.stderr.write(
      'Taking the address, the tenant and the key from CONCORD_URL, TENANT_ID and TENANT_KEY.\n',
    )
    requireTenantKey(given.tenantKey)
    return { ...given, ...scope }
  }
  const prompts = canAsk() ? openPrompts() : undefined
  try {
    return { ...(await askMissing(options, environment, prompts)), ...scope }
  } finally {
    prompts?.close()
  }
}

function isNamed({ url, tenant, keyFile }: InitOptions): boolean {
  return [url, tenant, keyFile].some((option) => option !== undefined)
}
async function askMissing(
  options: InitOptions,
  environment: CliEnvironment,
  prompts: Prompts | undefined,
): Promise<Profile> {
  const askFor = async (question: string, option: string, fallback?: string): Promise<string> => {
    if (!prompts) throw missing(option)
    return prompts.ask(question, fallback)
  }
  const suggested = environment['CONCORD_URL'] || 'http://127.0.0.1:8080'
  const url = options.url || (await askFor('Address', '--url', suggested))
  requireAddress(url, 'The address')
  const tenantId =
    options.tenant || (await askFor('Tenant id', '--tenant', environment['TENANT_ID'] || undefined))
  return { url, tenantId, tenantKey: await readKey(options, prompts) }
}

async function readKey({ keyFile }: InitOptions, prompts: Prompts | undefined): Promise<string> {
  const isTyped = keyFile === undefined || (keyFile === '-' && process.stdin.isTTY)
  const key = isTyped ? await prompts?.askSecret('Tenant key (not shown)') : await readKeyFile(keyFile)
  if (key === undefined) throw missing('--key-file')
  return requireTenantKey(key.trim())
}

async function readKeyFile(path: string): Promise<string> {
  return (path === '-' ? await readStdin() : await readFile(path)).toString('utf8')
}

function requireTenantKey(key: string): string {
  if (/^ck_t_\S+$/.test(key)) return key
  throw new Error('That is no tenant key: one begins with ck_t_ and has no spaces.')
}

function missing(option: string): Error {
  return new Error(`Nobody is there to ask: pass ${option}.`)
}

/** By real calls: the address, the key, that both belong together, and the scope where one is named. */
async function tryOut(profile: Profile): Promise<void> {
  const concord = clientOf(profile, { retry: { attempts: 2 } })
  await concord.listOwnScopes({ limit: 1 })
  if (profile.scopeId !== undefined) await concord.getOwnScope({ scopeId: profile.scopeId })
}
