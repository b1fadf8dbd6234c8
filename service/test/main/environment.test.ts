import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEnvironment } from '../../src/main/environment.ts'
import { ConfigFault, secretNames } from '../../src/platform/config.ts'

let dir: string
const file = (name: string) => join(dir, name)

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'concord-secrets-'))
  await writeFile(file('pepper'), '  from-a-file\n')
})
afterAll(() => rm(dir, { recursive: true }))

describe('readEnvironment', () => {
  it('passes variables on as they are', async () => {
    expect(await readEnvironment({ PORT: '1', HOME: '/x' })).toEqual({ PORT: '1', HOME: '/x' })
  })

  it.each(secretNames)(
    'takes %s from the file that the variable of that name and _FILE names',
    async (name) => {
      const variables = await readEnvironment({ [`${name}_FILE`]: file('pepper') })
      expect(variables[name]).toBe('from-a-file')
    },
  )

  it('takes nothing but secrets from files', async () => {
    expect(await readEnvironment({ PORT_FILE: file('pepper') })).not.toHaveProperty('PORT')
  })

  it('names the file that cannot be read, and no others', async () => {
    const reading = readEnvironment({ KEY_PEPPER_FILE: file('missing') })
    await expect(reading).rejects.toThrow(ConfigFault)
    await expect(reading).rejects.toThrow(/KEY_PEPPER_FILE names .*missing, which cannot be read/)
  })

  it('names every file that cannot be read, at once', async () => {
    const reading = readEnvironment({ KEY_PEPPER_FILE: file('one'), MASTER_KEY_FILE: file('two') })
    await expect(reading).rejects.toMatchObject({
      faults: [expect.stringContaining('MASTER_KEY_FILE'), expect.stringContaining('KEY_PEPPER_FILE')],
    })
  })
})
