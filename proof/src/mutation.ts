/**
 * Sabotage without hooks in the product: a copy of what runs, with named textual changes, in a temporary
 * directory that goes away afterwards. A change that finds nothing to change is an error, never a silent success.
 */
import {
  cp,
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Mutation {
  /** What it breaks, for people. */
  readonly name: string
  /** Glob of the files to change, from the root of the repository: `service/src/store/*.ts`. */
  readonly files: string
  /** All occurrences are replaced. A string is taken as it stands; a pattern follows the rules of replaceAll. */
  readonly find: string | RegExp
  /** As it stands after a string; with `$1`, `$&` and so on after a pattern. */
  readonly replace: string
}

/** A mutation and the number of places that it changed, which is at least one. */
export interface AppliedMutation extends Mutation {
  readonly places: number
}

const REPOSITORY = join(import.meta.dirname, '..', '..')
/** What a running service consists of. */
const WORKSPACES = ['contract', 'service']

/** Hands `work` the path of a changed copy, fit for `createDeployment({ repository })`, and removes it at the end. */
export async function withMutatedRepository<Result>(
  mutations: readonly Mutation[],
  work: (repository: string, applied: readonly AppliedMutation[]) => Promise<Result>,
): Promise<Result> {
  // The real path: a temporary directory behind a link would make Node load every module twice.
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'concord-mutated-')))
  try {
    await copyRepository(copy)
    const applied: AppliedMutation[] = []
    for (const mutation of mutations)
      applied.push({ ...mutation, places: await applyMutation(copy, mutation) })
    return await work(copy, applied)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Returns the number of places that changed. */
async function applyMutation(repository: string, mutation: Mutation): Promise<number> {
  let places = 0
  for await (const file of glob(mutation.files, { cwd: repository })) {
    const path = join(repository, file)
    const before = await readFile(path, 'utf8')
    const found = countMatches(before, mutation.find)
    if (found > 0) await writeFile(path, requireReadable(replaceAll(before, mutation), file, mutation))
    places += found
  }
  if (places > 0) return places
  throw new Error(
    `The mutation "${mutation.name}" found nothing to change in ${mutation.files}: the code has moved. ` +
      `Point the mutation at where ${String(mutation.find)} went.`,
  )
}

/** A copy that cannot even be read would fail for that, and show nothing of what the mutation breaks. */
function requireReadable(after: string, file: string, { name }: Mutation): string {
  if (!file.endsWith('.ts')) return after
  try {
    stripTypeScriptTypes(after)
    return after
  } catch (cause) {
    throw new Error(`The mutation "${name}" makes ${file} unreadable.`, { cause })
  }
}

async function copyRepository(copy: string): Promise<void> {
  await cp(join(REPOSITORY, 'package.json'), join(copy, 'package.json'))
  for (const workspace of WORKSPACES) {
    await cp(join(REPOSITORY, workspace), join(copy, workspace), { recursive: true, filter: isOurs })
  }
  await linkPackages(copy)
}

function isOurs(source: string): boolean {
  return !source.endsWith('node_modules')
}

/** Installed packages are shared with the original; our own must be those of the copy. */
async function linkPackages(copy: string): Promise<void> {
  const installed = join(REPOSITORY, 'node_modules')
  const linked = join(copy, 'node_modules')
  await mkdir(join(linked, '@concord'), { recursive: true })
  for (const name of await readdir(installed)) {
    if (name !== '@concord') await symlink(join(installed, name), join(linked, name))
  }
  for (const workspace of WORKSPACES) {
    await symlink(join(copy, workspace), join(linked, '@concord', workspace))
  }
}

function countMatches(text: string, find: string | RegExp): number {
  return typeof find === 'string' ? text.split(find).length - 1 : [...text.matchAll(everywhere(find))].length
}

function replaceAll(text: string, { find, replace }: Mutation): string {
  // A function, so that a dollar sign in the text means itself.
  return typeof find === 'string'
    ? text.replaceAll(find, () => replace)
    : text.replaceAll(everywhere(find), replace)
}

function everywhere(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`)
}
