/** `concord init` at a real terminal: it asks for what was left out, shows no key, and can be left at every question. */
import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { readProfile } from '../src/profile.ts'
import { CTRL_C, CTRL_D, openPseudoTerminal } from './support/pseudo-terminal.ts'
import type { PseudoTerminal } from './support/pseudo-terminal.ts'
import { COMMAND, useWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const world = useWorld()

const ADDRESS = 'Address [http://127.0.0.1:8080]: '
const TENANT = 'Tenant id: '
const KEY = 'Tenant key (not shown): '

interface Session extends PseudoTerminal {
  /** Where the profile would be kept. */
  readonly config: string
}

function startInit(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Session {
  const { home } = world()
  const config = join(home, randomUUID())
  const terminal = openPseudoTerminal([process.execPath, COMMAND, 'init', ...args], {
    env: { HOME: home, XDG_CONFIG_HOME: config, ...env },
    cwd: home,
  })
  return { ...terminal, config }
}

/** How it ended, whether the screen shows the key, and what is kept. */
async function outcomeOf({ config, exited, screen }: Session) {
  const code = await exited
  const showsKey = screen().includes(world().tenantKey.slice(0, 12))
  const isThere = await stat(config).catch(() => undefined)
  return { code, showsKey, profile: isThere && (await readProfile({}, { XDG_CONFIG_HOME: config })) }
}

function whenKept() {
  const { url, tenantId, tenantKey } = world()
  return { code: 0, showsKey: false, profile: { url, tenantId, tenantKey } }
}

describe('at a terminal', () => {
  it('asks for address, tenant and key where nothing is given', async () => {
    const { url, tenantId, tenantKey } = world()
    const session = startInit()
    await session.answer(ADDRESS, `${url}\r`)
    await session.answer(TENANT, `${tenantId}\r`)
    await session.answer(KEY, `${tenantKey}\r`)
    expect(await outcomeOf(session)).toEqual(whenKept())
  })

  it('asks for tenant and key where the address is given', async () => {
    const { url, tenantId, tenantKey } = world()
    const session = startInit(['--url', url])
    await session.answer(TENANT, `${tenantId}\r`)
    await session.answer(KEY, `${tenantKey}\r`)
    expect(await outcomeOf(session)).toEqual(whenKept())
    expect(session.screen()).not.toContain('Address')
  })

  it('asks for address and key where the tenant is given', async () => {
    const { url, tenantId, tenantKey } = world()
    const session = startInit(['--tenant', tenantId])
    await session.answer(ADDRESS, `${url}\r`)
    await session.answer(KEY, `${tenantKey}\r`)
    expect(await outcomeOf(session)).toEqual(whenKept())
    expect(session.screen()).not.toContain('Tenant id')
  })

  it('asks for the key alone where address and tenant are given, and lets it be corrected', async () => {
    const { url, tenantId, tenantKey } = world()
    const session = startInit(['--url', url, '--tenant', tenantId])
    await session.answer(KEY, `${tenantKey}xy\u007F\u007F\r`)
    expect(await outcomeOf(session)).toEqual(whenKept())
  })

  it('takes the key from the terminal where --key-file names the standard input', async () => {
    const { url, tenantId, tenantKey } = world()
    const session = startInit(['--tenant', tenantId, '--key-file', '-'])
    await session.answer(ADDRESS, `${url}\r`)
    await session.answer(KEY, `${tenantKey}\r`)
    expect(await outcomeOf(session)).toEqual(whenKept())
  })

  it('asks again where the answer is empty', async () => {
    const session = startInit(['--url', world().url])
    await session.answer(TENANT, '\r')
    await session.answer(TENANT, `${world().tenantId}\r`)
    await session.answer(KEY, `${world().tenantKey}\r`)
    expect(await outcomeOf(session)).toEqual(whenKept())
  })

  it('ends where the address is none, before it asks for the key', async () => {
    const session = startInit()
    await session.answer(ADDRESS, 'localhost:8282\r')
    expect(await session.exited).toBe(1)
    expect(session.screen()).toContain('Write for example http://localhost:8282.')
    expect(session.screen()).not.toContain(KEY)
  })
})

const WHEN_LEFT = { code: 1, showsKey: false, profile: undefined }

describe('every question can be left', () => {
  const keys = [
    ['Ctrl-C', CTRL_C, 'Interrupted; nothing was kept.'],
    ['Ctrl-D', CTRL_D, 'The input ended; nothing was kept.'],
  ] as const

  it.each(keys)('by %s at the address', async (_, key, sentence) => {
    const session = startInit()
    await session.answer(ADDRESS, key)
    expect(await outcomeOf(session)).toEqual(WHEN_LEFT)
    expect(session.screen()).toContain(sentence)
  })

  it.each(keys)('by %s at the tenant', async (_, key, sentence) => {
    const session = startInit(['--url', world().url])
    await session.answer(TENANT, key)
    expect(await outcomeOf(session)).toEqual(WHEN_LEFT)
    expect(session.screen()).toContain(sentence)
  })

  it.each(keys)('by %s at the key, after another question', async (_, key, sentence) => {
    const session = startInit(['--url', world().url])
    await session.answer(TENANT, `${world().tenantId}\r`)
    await session.answer(KEY, key)
    expect(await outcomeOf(session)).toEqual(WHEN_LEFT)
    expect(session.screen()).toContain(sentence)
  })
})

describe('the environment counts as a whole or not at all', () => {
  it('asks for the key where the environment has one but no address', async () => {
    const { url, tenantId, tenantKey } = world()
    const session = startInit([], { TENANT_ID: tenantId, TENANT_KEY: 'ck_t_of_another_service' })
    await session.answer(ADDRESS, `${url}\r`)
    await session.answer(`Tenant id [${tenantId}]: `, '\r')
    await session.answer(KEY, `${tenantKey}\r`)
    expect(await outcomeOf(session)).toEqual(whenKept())
  })

  it('asks for the key where the address is an option, whatever the environment has', async () => {
    const { url, tenantId, tenantKey, env } = world()
    const session = startInit(['--url', url, '--tenant', tenantId], { ...env, TENANT_KEY: 'ck_t_other' })
    await session.answer(KEY, `${tenantKey}\r`)
    expect(await outcomeOf(session)).toEqual(whenKept())
  })

  it('takes all three without a question, and says so', async () => {
    const session = startInit([], world().env)
    expect(await outcomeOf(session)).toEqual(whenKept())
    expect(session.screen()).toContain('from CONCORD_URL, TENANT_ID and TENANT_KEY')
  })
})

describe('without a terminal', () => {
  it.each([
    ['nothing', [], '--url'],
    ['the address', ['--url', 'http://127.0.0.1:8080'], '--tenant'],
    ['the tenant', ['--tenant', randomUUID()], '--url'],
    ['address and tenant', ['--url', 'http://127.0.0.1:8080', '--tenant', randomUUID()], '--key-file'],
  ])('says which option is missing where %s is given', async (_, args, option) => {
    const config = join(world().home, randomUUID())
    const ended = await world().run(['init', ...args], { XDG_CONFIG_HOME: config })
    expect([ended.code, ended.output]).toEqual([1, `Nobody is there to ask: pass ${option}.\n`])
  })

  it('reads the key from a pipe', async () => {
    const { url, tenantId, tenantKey, home } = world()
    const config = join(home, randomUUID())
    const command = `printf %s "$KEY" | "$NODE" "$COMMAND" init --url ${url} --tenant ${tenantId} --key-file -`
    const session = openPseudoTerminal(['sh', '-c', command], {
      env: { HOME: home, XDG_CONFIG_HOME: config, KEY: tenantKey, NODE: process.execPath, COMMAND },
      cwd: home,
    })
    expect(await outcomeOf({ ...session, config })).toEqual(whenKept())
  })
})
