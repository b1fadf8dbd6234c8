/** The commands of the system that make, mount and cut a disk. A failure says what was run and what it answered. */
import { execFile, execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/** All that a power cut needs besides Linux and the rights of root. */
const COMMANDS = ['dd', 'fallocate', 'losetup', 'mkfs.ext4', 'mount', 'perl', 'sync', 'truncate', 'umount']

/** Where they are, also for a root whose own path leaves out the folders of the administrator. */
const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

const AGAIN_MS = 100

/** Returns what it printed. */
export async function command(name: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(name, [...args], { env })
  return stdout.trim()
}

/** Nothing else happens in this process meanwhile. */
export function commandNow(name: string, ...args: readonly string[]): void {
  execFileSync(name, [...args], { env, stdio: 'pipe' })
}

/** Tries again for a while: a disk is busy until the last of the killed processes is gone. */
export async function commandPatiently(withinMs: number, name: string, ...args: string[]): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      await command(name, ...args)
      return
    } catch (error) {
      // A file system that lost its disk complains while it goes; the next try finds it gone.
      if (name === 'umount' && String(error).includes('not mounted')) return
      if (performance.now() > deadline) throw error
      await delay(AGAIN_MS)
    }
  }
}

export async function missingCommands(): Promise<string[]> {
  const found = await Promise.all(
    COMMANDS.map(async (name) =>
      command('sh', '-c', 'command -v "$1"', 'sh', name).then(
        () => true,
        () => false,
      ),
    ),
  )
  return COMMANDS.filter((_, index) => !found[index])
}
