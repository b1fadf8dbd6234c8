/**
 * Sabotage without hooks in the product: a copy of what runs, with named textual changes, in a temporary
 * directory that goes away afterwards. A change that finds nothing to change, or nothing that is in force, is an error,
 * never a silent success.
 */
import { glob, readdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { copyRepository, withFolder } from '@concord/tools/launch'

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

/** Hands `work` the path of a changed copy, fit for `createDeployment({ repository })`, and removes it at the end. */
export async function withMutatedRepository<Result>(
  mutations: readonly Mutation[],
  work: (repository: string, applied: readonly AppliedMutation[]) => Promise<Result>,
): Promise<Result> {
  return withFolder('mutated', async (copy) => {
    await copyRepository(copy)
    const applied: AppliedMutation[] = []
    for (const mutation of mutations)
      applied.push({ ...mutation, places: await applyMutation(copy, mutation) })
    return work(copy, applied)
  })
}

/** Returns the number of places that changed. */
async function applyMutation(repository: string, mutation: Mutation): Promise<number> {
  await requireInForce(repository, mutation)
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

/**
 * One that changes a function of the database which a later migration has dropped, or written anew without what it looks
 * for, would still find its place, and break nothing.
 */
async function requireInForce(repository: string, { name, files, find }: Mutation): Promise<void> {
  if (!files.endsWith('.sql')) return
  const functions = await readFunctions(join(repository, 'service', 'migrations'))
  if (functions.some((text) => countMatches(text, find) > 0)) return
  throw new Error(
    `The mutation "${name}" changes nothing that is in force after all migrations. ` +
      `Point it at the migration that says now what ${String(find)} said.`,
  )
}

/** The functions of the database as the last migration that knows of each wrote them. */
async function readFunctions(folder: string): Promise<string[]> {
  const functions = new Map<string, string>()
  for (const file of (await readdir(folder)).toSorted()) {
    const text = await readFile(join(folder, file), 'utf8')
    for (const [definition, dropped, created = ''] of text.matchAll(FUNCTION))
      if (dropped) functions.delete(dropped)
      else functions.set(created, definition)
  }
  return [...functions.values()]
}

const FUNCTION = /^drop function (\w+)\(|^create (?:or replace )?function (\w+)\([\s\S]*?^(?:end )?\$\$;/gm

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
