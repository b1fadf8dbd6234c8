/**
 * A copy of what runs in another folder: to be changed there, or to hold another commit. Installed packages are shared
 * with the original; our own are those of the copy.
 */
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const REPOSITORY = join(import.meta.dirname, '..', '..')

/** The parts of a running service, and the programs of tenants beside it. An earlier commit may lack some. */
const RUNNING = ['contract', 'reading', 'reader-rules', 'service', 'client', 'cli', 'mcp'] as const

/** Hands `work` the path of an empty folder that goes away afterwards. */
export async function withFolder<Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  // The real path: a temporary directory behind a link would make Node load every module twice.
  const folder = await realpath(await mkdtemp(join(tmpdir(), `concord-${name}-`)))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function copyRepository(copy: string): Promise<void> {
  await cp(join(REPOSITORY, 'package.json'), join(copy, 'package.json'))
  for (const workspace of RUNNING)
    await cp(join(REPOSITORY, workspace), join(copy, workspace), { recursive: true, filter: isOurs })
  await linkPackages(copy)
}

function isOurs(source: string): boolean {
  return !source.endsWith('node_modules')
}

export async function linkPackages(copy: string): Promise<void> {
  const installed = join(REPOSITORY, 'node_modules')
  const linked = join(copy, 'node_modules')
  await mkdir(join(linked, '@concord'), { recursive: true })
  for (const name of await readdir(installed))
    if (name !== '@concord') await symlink(join(installed, name), join(linked, name))
  for (const workspace of RUNNING.filter((name) => existsSync(join(copy, name))))
    await symlink(join(copy, workspace), join(linked, '@concord', workspace))
}
