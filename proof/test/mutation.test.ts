import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runChild } from '@concord/tools/launch'
import { describe, expect, it } from 'vitest'
import { withMutatedRepository } from '../harness/mutation.ts'

const VERSION = 'service/package.json'
const ORIGINAL = join(import.meta.dirname, '..', '..')

describe('a mutated repository', () => {
  it('differs from the original in the named places only', async () => {
    const before = await readFile(join(ORIGINAL, VERSION), 'utf8')
    const mutation = {
      name: 'another version',
      files: VERSION,
      find: /"version": "([^"]+)"/,
      replace: '"version": "9.$1"',
    }
    await withMutatedRepository([mutation], async (copy, applied) => {
      expect(applied.map(({ places }) => places)).toEqual([1])
      expect(await readFile(join(copy, VERSION), 'utf8')).toBe(
        before.replace('"version": "', '"version": "9.'),
      )
    })
    expect(await readFile(join(ORIGINAL, VERSION), 'utf8')).toBe(before)
  })

  it('takes a text and what replaces it as they stand, dollar signs included', async () => {
    const mutation = { name: 'dollars', files: VERSION, find: '"version"', replace: '"$& $1"' }
    await withMutatedRepository([mutation], async (copy) => {
      expect(await readFile(join(copy, VERSION), 'utf8')).toContain('"$& $1": "')
    })
  })

  it.each([
    ['was dropped', 'perform weigh_documents(place.tenant_id'],
    ['was written anew without it', 'from new_rows group by tenant_id, scope_id, status;'],
  ])('is none where what would change %s by a later migration', async (_, find) => {
    const mutation = { name: 'too late', files: 'service/migrations/*.sql', find, replace: '' }
    await expect(withMutatedRepository([mutation], async () => undefined)).rejects.toThrow('in force')
  })

  it('runs its own service and its own contract, not the original ones', async () => {
    const mutations = [
      { name: 'service', files: VERSION, find: /"version": "[^"]+"/, replace: '"version": "77.7.7"' },
      {
        name: 'contract',
        files: 'contract/src/problems.ts',
        find: 'There is nothing here',
        replace: 'Mutated here',
      },
    ]
    await withMutatedRepository(mutations, async (copy) => {
      const entry = join(copy, 'service', 'src', 'main', 'concord.ts')
      const version = await runChild({ command: process.execPath, args: [entry, '--version'], env: {} })
      expect(version.trim()).toBe('77.7.7')
      const question = `import('@concord/contract').then(({ problems }) => console.log(problems.not_found.title))`
      const title = await runChild({
        command: process.execPath,
        args: ['-e', question],
        env: {},
        cwd: join(copy, 'service'),
      })
      expect(title.trim()).toBe('Mutated here')
    })
  })

  it('refuses a mutation that finds nothing, and says that the code has moved', async () => {
    const mutation = {
      name: 'stale',
      files: 'service/src/**/*.ts',
      find: 'no such text anywhere',
      replace: '',
    }
    await expect(withMutatedRepository([mutation], async () => undefined)).rejects.toThrow(
      /"stale".*the code has moved/,
    )
  })

  it('is gone afterwards, also when the work fails', async () => {
    let path = ''
    const failing = withMutatedRepository([], async (copy) => {
      path = copy
      throw new Error('the work failed')
    })
    await expect(failing).rejects.toThrow('the work failed')
    expect(path).not.toBe('')
    expect(existsSync(path)).toBe(false)
  })
})
