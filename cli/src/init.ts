/** `concord init`: keeps where the service is and the key, once both have answered. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { clientOf } from './connecting.ts'
import type { Environment } from './environment.ts'
import { printRecord } from './output.ts'
import type { OutputOptions } from './output.ts'
import { profileName, writeProfile } from './profile.ts'
import type { Profile, ProfileOptions } from './profile.ts'
import { ask, askSecret, canAsk, readStdin } from './prompting.ts'

interface InitOptions extends OutputOptions, ProfileOptions {
  readonly url?: string
  readonly tenant?: string
  readonly keyFile?: string
  readonly scope?: string
}

export function addInitCommand(program: Command, environment: Environment): void {
  program
    .command('init')
    .description('keep where the service is and your key, once both were tried')
    .option('--url <address>', 'where the service is, e.g. https://concord.example.com')
    .option('--tenant <id>', 'your tenant id')
    .option('--key-file <path>', 'a file with the tenant key, or - for the standard input')
    .option('--scope <id>', 'the scope that is meant where a command names none')
    .option('--profile <name>', 'keep it under this name instead of "default"')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
What is left out is asked for at a terminal, or taken from CONCORD_URL, TENANT_ID and TENANT_KEY.
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

async function gather(options: InitOptions, environment: Environment): Promise<Profile> {
  const url = (
    options.url ||
    environment['CONCORD_URL'] ||
    (await askFor('Address', '--url', 'http://127.0.0.1:8080'))
  ).trim()
  if (!/^https?:\/\/[^/]+/.test(url)) throw new Error('The address begins with http:// or https://.')
  const tenantId = options.tenant || environment['TENANT_ID'] || (await askFor('Tenant id', '--tenant'))
  const tenantKey = await gatherKey(options, environment)
  if (!/^ck_t_\S+$/.test(tenantKey))
    throw new Error('That is no tenant key: one begins with ck_t_ and has no spaces.')
  return { url, tenantId, tenantKey, ...(options.scope !== undefined && { scopeId: options.scope }) }
}

async function gatherKey({ keyFile }: InitOptions, environment: Environment): Promise<string> {
  if (keyFile !== undefined)
    return (keyFile === '-' ? await readStdin() : await readFile(keyFile)).toString('utf8').trim()
  if (environment['TENANT_KEY']) return environment['TENANT_KEY'].trim()
  if (!canAsk()) throw missing('--key-file')
  return askSecret('Tenant key (not shown)')
}

async function askFor(question: string, option: string, fallback?: string): Promise<string> {
  if (!canAsk()) throw missing(option)
  return ask(question, fallback)
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
