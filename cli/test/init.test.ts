/** A profile is kept only when the service has answered, readable by its owner alone, and the key is shown nowhere. */
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { readProfile } from '../src/profile.ts'
import { useWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const world = useWorld()

async function initArgs(...more: string[]): Promise<string[]> {
  const { url, tenantId, tenantKey, home } = world()
  const keyFile = join(home, 'key')
  await writeFile(keyFile, `${tenantKey}\n`, { mode: 0o600 })
  return ['init', '--url', url, '--tenant', tenantId, '--key-file', keyFile, ...more]
}

const config = () => join(world().home, 'config')
const path = () => join(config(), 'concord', 'profiles.json')

describe('concord init', () => {
  it('keeps a profile in a file of mode 600 and prints no key', async () => {
    const { run, tenantKey, tenantId, url } = world()
    const ended = await run(await initArgs('--scope', 'acme', '--json'), { XDG_CONFIG_HOME: config() })
    expect(ended.code).toBe(0)
    expect(ended.output).not.toContain(tenantKey.slice(0, 20))
    expect(JSON.parse(ended.stdout)).toEqual({
      profile: 'default',
      url,
      tenant_id: tenantId,
      scope_id: 'acme',
      path: path(),
    })
    expect((await stat(path())).mode & 0o777).toBe(0o600)
    const kept = await readProfile({}, { XDG_CONFIG_HOME: config() })
    expect(kept).toEqual({ url, tenantId, tenantKey, scopeId: 'acme' })
  })

  it('keeps several by name beside each other', async () => {
    const { run, url } = world()
    await run(await initArgs(), { XDG_CONFIG_HOME: config() })
    expect((await run(await initArgs('--profile', 'work'), { XDG_CONFIG_HOME: config() })).code).toBe(0)
    const { profiles } = JSON.parse(await readFile(path(), 'utf8')) as { profiles: Record<string, unknown> }
    expect(Object.keys(profiles).toSorted()).toEqual(['default', 'work'])
    expect(await readProfile({ profile: 'work' }, { XDG_CONFIG_HOME: config() })).toMatchObject({ url })
  })

  it.each([
    ['an address where nothing is', ['--url', 'http://127.0.0.1:9'], /cannot be reached/],
    ['an address that is none', ['--url', '127.0.0.1'], /begins with http/],
    ['another tenant', ['--tenant', randomUUID()], /tenant/i],
    ['a scope that is not there', ['--scope', 'nowhere'], /No such scope/],
    ['a key that is none', ['--key-file', '/dev/null'], /no tenant key/],
  ])('keeps nothing and says why: %s', async (_, more, why) => {
    const elsewhere = join(world().home, randomUUID())
    const ended = await world().run([...(await initArgs()), ...more], { XDG_CONFIG_HOME: elsewhere })
    expect([ended.code, ended.output]).toEqual([1, expect.stringMatching(why)])
    expect(ended.output).not.toContain(world().tenantKey.slice(0, 20))
    await expect(stat(elsewhere)).rejects.toThrow('ENOENT')
  })

  it('asks nobody where nobody is', async () => {
    const ended = await world().run(['init'], { XDG_CONFIG_HOME: config() })
    expect([ended.code, ended.output]).toEqual([1, expect.stringMatching(/pass --url/)])
  })
})

describe('which profile counts', () => {
  const env = { CONCORD_URL: 'http://a', TENANT_ID: 't', TENANT_KEY: 'k' }

  it('the environment outweighs the default, and a name outweighs both', async () => {
    await world().run(await initArgs('--profile', 'named'), { XDG_CONFIG_HOME: config() })
    const all = { ...env, XDG_CONFIG_HOME: config() }
    expect(await readProfile({}, all)).toMatchObject({ url: 'http://a' })
    expect(await readProfile({ profile: 'named' }, all)).toMatchObject({ url: world().url })
  })

  it('never mixes the two', async () => {
    await expect(readProfile({}, { CONCORD_URL: 'http://a' })).rejects.toThrow(/TENANT_KEY/)
  })

  it('is refused from a file that others may read', async () => {
    await world().run(await initArgs(), { XDG_CONFIG_HOME: config() })
    await chmod(path(), 0o644)
    await expect(readProfile({}, { XDG_CONFIG_HOME: config() })).rejects.toThrow(/chmod 600/)
    await chmod(path(), 0o600)
  })

  it('says how to make one that is not there', async () => {
    const nowhere = { XDG_CONFIG_HOME: join(world().home, 'nowhere') }
    await expect(readProfile({}, nowhere)).rejects.toThrow(/concord init/)
  })
})
