/** The file that starts this command: other programs are given its absolute path, so that they run this one and fetch none. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** A clone has the first one, an image the second one, a machine without the server the last one. */
export function launcherPath(): string {
  const places = ['bin', 'service/bin', 'cli/bin'].map((folder) => join(ROOT, folder, 'concord'))
  return places.find((path) => existsSync(path)) ?? 'concord'
}
