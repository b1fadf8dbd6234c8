import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCodeCache } from '../../src/platform/code-cache.ts'

describe('the code cache', () => {
  it('is not used where somebody else could have written', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'cache-'))
    const folder = join(parent, `concord-code-${userInfo().uid}`)
    try {
      expect(openCodeCache(parent)).toBe(folder)
      await chmod(folder, 0o777)
      expect(openCodeCache(parent)).toBeUndefined()
      await rm(folder, { recursive: true })
      await symlink(parent, folder)
      expect(openCodeCache(parent)).toBeUndefined()
    } finally {
      await rm(parent, { recursive: true })
    }
  })
})
