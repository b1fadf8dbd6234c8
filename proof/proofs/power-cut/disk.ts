/**
 * A disk whose power can be cut. It is an image in a file system that is itself an image:
 *
 *   servers -> ext4 -> disk.img on a loop device -> ext4 ("the medium") -> medium.img on a loop device
 *
 * What the servers wrote and did not sync is in the page cache of the first file system. What that one wrote and did
 * not flush is in the page cache of the medium, as it would be in the memory of a drive. The cut shuts the medium down
 * at one instant (the ioctl by which file systems are tested for crashes): nothing is written to medium.img from
 * then on, every sync under way or to come fails, and both caches go when both are unmounted. So it takes more than
 * a crash of the kernel would: only what was synced and flushed is sure to be there when the power returns. What the
 * kernel wrote back on its own before the cut may be there too, as on a real disk.
 */
import { chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, commandNow, commandPatiently } from '../../harness/disk/commands.ts'

export interface Disk {
  /** Where it is mounted. */
  readonly path: string
  /** Whatever is on it now stays: the state of a machine that has been running for a while. */
  settle(): Promise<void>
  /** At once; whoever still writes gets errors. */
  cutPower(): void
  /** Brings back what was really written. All who used the disk must be dead or dying. */
  restorePower(): Promise<void>
  remove(): Promise<void>
}

const BUSY_MS = 20_000
/** The medium needs room for its own records. */
const MEDIUM_EXTRA = { share: 1.03, megabytes: 96 }
// An error must not bring down the machine, whatever its default is.
const MOUNT = ['-o', 'noatime,errors=remount-ro']
// EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: at once, and without writing the journal first.
const SHUT_DOWN = `open(my $medium, '<', $ARGV[0]) or die "$!"; my $how = pack('L', 2);
  ioctl($medium, 0x8004587d, $how) or die "the file system cannot be shut down: $!"`

export async function openDisk(megabytes: number): Promise<Disk> {
  const home = await mkdtemp(join(tmpdir(), 'concord-power-cut-'))
  // Root's Postgres runs as another user, who must be able to pass through.
  await chmod(home, 0o711)
  const stack = createStack(home)
  const remove = async () => {
    await stack.lower()
    await rm(home, { recursive: true, force: true })
  }
  try {
    await requireSpace(megabytes)
    await stack.format(megabytes)
    await stack.raise()
    await chmod(stack.disk, 0o711)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    path: stack.disk,
    settle: async () => void (await command('sync', '--file-system', stack.disk)),
    cutPower: () => commandNow('perl', '-e', SHUT_DOWN, stack.medium),
    async restorePower() {
      await stack.lower()
      await stack.raise()
    },
    remove,
  }
}

function createStack(home: string) {
  const medium = join(home, 'medium')
  const mediumImage = join(home, 'medium.img')
  const disk = join(home, 'disk')
  const diskImage = join(medium, 'disk.img')
  /** The commands that undo the steps taken so far; the last one first. */
  const undo: (readonly [string, ...string[]])[] = []

  async function attach(image: string, path: string): Promise<void> {
    const device = await command('losetup', '--find', '--show', image)
    undo.push(['losetup', '--detach', device])
    await command('mount', ...MOUNT, device, path)
    undo.push(['umount', path])
  }

  async function lower(): Promise<void> {
    for (let step = undo.at(-1); step; step = undo.at(-1)) {
      const [name, ...args] = step
      await commandPatiently(BUSY_MS, name, ...args)
      undo.pop()
    }
  }

  return {
    medium,
    disk,
    lower,
    async raise() {
      await attach(mediumImage, medium)
      await attach(diskImage, disk)
    },
    async format(megabytes: number) {
      await Promise.all([mkdir(medium), mkdir(disk)])
      const whole = Math.ceil(megabytes * MEDIUM_EXTRA.share + MEDIUM_EXTRA.megabytes)
      await command('truncate', '--size', `${whole}M`, mediumImage)
      await command('mkfs.ext4', '-q', '-F', '-m', '0', '-N', '64', mediumImage)
      await attach(mediumImage, medium)
      await command('fallocate', '--length', `${megabytes}M`, diskImage)
      await command('mkfs.ext4', '-q', '-F', '-N', '16384', '-E', 'nodiscard', diskImage)
      await command('sync', '--file-system', medium)
      await lower()
    },
  }
}

/** The images grow as they are filled; they must not fill the machine. */
async function requireSpace(megabytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir())
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  if (free < megabytes * 1.5)
    throw new Error(`${tmpdir()} has ${free} MB free, too little for a disk of ${megabytes} MB. Set TMPDIR.`)
}
