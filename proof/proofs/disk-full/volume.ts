/**
 * A volume of fixed size that can be filled to the last block and freed again: a file system in an image on a loop
 * device, with a ballast file beside what the server keeps there.
 */
import { chmod, mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { command, commandPatiently } from '../../harness/disk/commands.ts'
import { Skipped } from '../../harness/proof.ts'

export interface Volume {
  /** Where it is mounted. */
  readonly path: string
  /** Resolves when not a block is left. Whatever is given back from then on is taken too, until `free`. */
  fill(): Promise<void>
  /** Resolves when the room is there again for whoever wants to write. */
  free(): Promise<void>
  remove(): Promise<void>
}

const BUSY_MS = 20_000
const TOP_UP_MS = 200
const PIECES = [4 * 1024 * 1024, 64 * 1024, 4096, 512]

/** Fails with Skipped where this machine cannot do it. */
export async function openVolume(megabytes: number): Promise<Volume> {
  if (process.platform !== 'linux') throw new Skipped('only Linux has loop devices')
  if (process.getuid?.() !== 0) throw new Skipped('only root may mount a volume')
  const home = await mkdtemp(join(tmpdir(), 'concord-disk-full-'))
  // Root's Postgres runs as another user, who must be able to pass through.
  await chmod(home, 0o711)
  try {
    return await mountIn(home, megabytes)
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    throw new Skipped(`no loop devices, or no right to mount them: ${String(error).trim()}`, { cause: error })
  }
}

async function mountIn(home: string, megabytes: number): Promise<Volume> {
  const image = join(home, 'volume.img')
  const path = join(home, 'volume')
  await mkdir(path)
  await command('truncate', '--size', `${megabytes}M`, image)
  // Nothing is kept back for root, or a server that runs as root would find room on a full volume.
  await command('mkfs.ext4', '-q', '-F', '-m', '0', image)
  await command('mount', '-o', 'loop,noatime,errors=remount-ro', image, path)
  await chmod(path, 0o711)
  const ballast = createBallast(path)
  return {
    path,
    fill: ballast.fill,
    async free() {
      await ballast.drop()
      // Blocks may be used again once the journal has it that they are free.
      await command('sync', '--file-system', path)
    },
    async remove() {
      await ballast.drop()
      await commandPatiently(BUSY_MS, 'umount', path)
      await rm(home, { recursive: true, force: true })
    },
  }
}

function createBallast(path: string) {
  const file = join(path, 'ballast')
  let dropping: AbortController | undefined
  let keeping: Promise<void> | undefined

  async function keepFull(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(TOP_UP_MS, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await topUp(file)
    }
  }

  return {
    async fill() {
      await allocate(path, file)
      await topUp(file)
      dropping = new AbortController()
      keeping = keepFull(dropping.signal)
    },
    async drop() {
      dropping?.abort()
      await keeping
      await rm(file, { force: true })
    },
  }
}

/** Most of it at once, without writing. */
async function allocate(path: string, file: string): Promise<void> {
  const { bavail, bsize } = await statfs(path)
  const length = bavail * bsize - 2 * Math.max(...PIECES)
  if (length > 0) await command('fallocate', '--length', String(length), file)
}

async function topUp(file: string): Promise<void> {
  const handle = await open(file, 'a')
  try {
    for (const size of PIECES) while (await takes(handle, size));
  } finally {
    await handle.close()
  }
}

async function takes(
  handle: { write(bytes: Uint8Array): Promise<{ bytesWritten: number }> },
  size: number,
): Promise<boolean> {
  try {
    const { bytesWritten } = await handle.write(new Uint8Array(size))
    return bytesWritten === size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
