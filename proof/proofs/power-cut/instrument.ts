/**
 * Whether a disk of this machine really forgets at a cut what it should forget, and keeps what it should keep. A disk
 * that forgot nothing would make every service look safe.
 */
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figures } from '../../harness/figures.ts'
import { Skipped } from '../../harness/proof.ts'
import { command, missingCommands } from '../../harness/disk/commands.ts'
import { openDisk } from './disk.ts'
import type { Disk } from './disk.ts'

const MEGABYTES = 64
const COUNT = 20
const BLOCK = Buffer.alloc(4096, 'written before the cut')

/** Fails with Skipped where this machine cannot do it. */
export async function checkInstrument(figures: Figures): Promise<void> {
  const disk = await openSmallDisk()
  try {
    await fill(disk)
    disk.cutPower()
    await disk.restorePower()
    const at = (name: string) => join(disk.path, name)
    figures.exactly('trial cut: synced files that were kept', await countFiles(at('synced')), COUNT)
    figures.exactly('trial cut: files that came through unsynced', await countFiles(at('cached')), 0)
    figures.exactly(
      'trial cut: blocks that came through unflushed',
      countBlocks(await readFile(at('blocks'))),
      0,
    )
  } finally {
    await disk.remove()
  }
}

async function openSmallDisk(): Promise<Disk> {
  if (process.platform !== 'linux') throw new Skipped('only Linux has loop devices')
  if (process.getuid?.() !== 0) throw new Skipped('only root may mount a disk')
  const missing = await missingCommands()
  if (missing.length > 0) throw new Skipped(`this machine has no ${missing.join(', ')}`)
  return openDisk(MEGABYTES).catch((error: unknown) => {
    throw new Skipped(`no loop devices, or no right to mount them: ${String(error).trim()}`, { cause: error })
  })
}

async function fill({ path, settle }: Disk): Promise<void> {
  const at = (...names: string[]) => join(path, ...names)
  await Promise.all([mkdir(at('synced')), mkdir(at('cached'))])
  await writeFile(at('source'), Buffer.concat(Array.from({ length: COUNT }, () => BLOCK)))
  await writeFile(at('blocks'), Buffer.alloc(COUNT * BLOCK.length))
  await settle()
  for (let file = 0; file < COUNT; file += 1) await writeSynced(at('synced', String(file)))
  for (let file = 0; file < COUNT; file += 1) await writeFile(at('cached', String(file)), BLOCK)
  // Past the page cache, into blocks that exist: on the disk at once, and nobody asks it to flush them.
  const direct = ['oflag=direct', 'conv=notrunc', `bs=${BLOCK.length}`]
  await command('dd', `if=${at('source')}`, `of=${at('blocks')}`, ...direct)
}

async function writeSynced(file: string): Promise<void> {
  const handle = await open(file, 'w')
  try {
    await handle.writeFile(BLOCK)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Those with their content; a name alone is not what was written. */
async function countFiles(folder: string): Promise<number> {
  const names = await readdir(folder)
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))))
  return contents.filter((content) => content.equals(BLOCK)).length
}

function countBlocks(content: Buffer): number {
  return Array.from({ length: COUNT }, (_, index) =>
    content.subarray(index * BLOCK.length, (index + 1) * BLOCK.length),
  ).filter((block) => block.equals(BLOCK)).length
}
