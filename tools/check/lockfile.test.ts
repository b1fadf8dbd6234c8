// Each promise of the lockfile is broken once, beside the forms that keep it.

import { describe, expect, it } from 'vitest'
import { checkLockfile } from './lockfile.ts'

const integrity = `sha512-${'a'.repeat(86)}==`

const check = (path: string, entry: object): string[] =>
  checkLockfile({ lockfileVersion: 3, packages: { '': {}, [path]: entry } })

describe('a lockfile', () => {
  it('may hold hashed packages, workspaces, links to them and bundled packages', () => {
    const packages = {
      '': {},
      contract: {},
      'node_modules/@concord/contract': { resolved: 'contract', link: true },
      'node_modules/zod': { integrity },
      'node_modules/a/node_modules/b': { inBundle: true },
    }
    expect(checkLockfile({ lockfileVersion: 3, packages })).toEqual([])
  })

  it('may not hold a package without a strong hash, also where it is nested in another', () => {
    expect(check('node_modules/zod', {})).toEqual([expect.stringMatching(/^node_modules\/zod has no sha512/)])
    expect(check('node_modules/zod', { integrity: 'sha1-aaaa' })).toHaveLength(1)
    expect(check('contract/node_modules/zod', {})).toHaveLength(1)
  })

  it('may not say where a package was fetched', () => {
    const entry = { integrity, resolved: 'https://example.com/zod.tgz' }
    expect(check('node_modules/zod', entry)).toEqual([expect.stringContaining('names where it was fetched')])
  })

  it('may not link out of the repository', () => {
    for (const resolved of ['../other', '/other', 'https://example.com/x.tgz', undefined])
      expect(check('node_modules/x', { link: true, resolved })).toHaveLength(1)
  })

  it('of another version is refused instead of passing for empty', () => {
    expect(checkLockfile({ lockfileVersion: 1 })).toHaveLength(1)
    expect(checkLockfile({ lockfileVersion: 2, packages: {} })).toHaveLength(1)
    expect(checkLockfile({ lockfileVersion: 3 })).toHaveLength(1)
  })
})
