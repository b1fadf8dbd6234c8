/**
 * Sabotage without hooks in the product: a copy of what runs, with named changes, in a temporary directory that goes away
 * afterwards. A change that finds nothing to change is an error, never a silent success.
 */
import { writeFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { copyRepository, withFolder } from '@concord/tools/launch'
import type { SourceChange } from './mutation/changes.ts'
import { changeMarkedCode, parseProgram } from './mutation/marked-code.ts'
import { changeMarkedLine } from './mutation/marked-line.ts'
import { findMarker, readSources } from './mutation/markers.ts'
import type { SourceTexts } from './mutation/markers.ts'
import type { PointName } from './points.ts'

/** Changes the code at one marker, or at several that only together break something. */
export interface MarkedMutation {
  /** Says what it breaks, for people. */
  readonly name: string
  readonly at: PointName | readonly PointName[]
  readonly change: SourceChange
}

/** Changes every match in many files, for a rule that every statement keeps. */
export interface Sweep {
  readonly name: string
  /** Glob from the root of the repository: `service/sql/functions/*.sql`. */
  readonly files: string
  /** The pattern is global. */
  readonly find: RegExp
  /** The replacement may refer to groups: `$1`, `$&` and so on. */
  readonly replace: string
}

export type Mutation = MarkedMutation | Sweep

export interface Mutated {
  /** The files that changed, with their new texts. */
  readonly changed: SourceTexts
  /** How many places each of the mutations changed; at least one. */
  readonly places: readonly number[]
}

/** Hands `work` the path of a changed copy, fit for `createDeployment({ repository })`, and removes it at the end. */
export async function withMutatedRepository<Result>(
  mutations: readonly Mutation[],
  work: (repository: string, places: Mutated['places']) => Promise<Result>,
): Promise<Result> {
  return withFolder('mutated', async (copy) => {
    await copyRepository(copy)
    const { changed, places } = mutateSources(await readSources(copy), mutations)
    for (const [file, text] of changed) await writeFile(join(copy, file), text)
    return work(copy, places)
  })
}

/** The mutations follow one another. */
export function mutateSources(sources: SourceTexts, mutations: readonly Mutation[]): Mutated {
  const changed = new Map<string, string>()
  const places = mutations.map((mutation) => {
    const once = mutate(new Map([...sources, ...changed]), mutation)
    for (const [file, text] of once.changed) changed.set(file, text)
    return once.places
  })
  return { changed, places }
}

interface MutatedOnce {
  readonly changed: SourceTexts
  readonly places: number
}

function mutate(sources: SourceTexts, mutation: Mutation): MutatedOnce {
  try {
    const mutated = 'at' in mutation ? changeMarked(sources, mutation) : sweep(sources, mutation)
    // A copy that cannot be read would fail for that, and show nothing of what the mutation breaks.
    for (const [file, text] of mutated.changed) if (file.endsWith('.ts')) parseProgram(text)
    return mutated
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The mutation "${mutation.name}" cannot be made: ${reason}.`, { cause })
  }
}

function changeMarked(sources: SourceTexts, { at, change }: MarkedMutation): MutatedOnce {
  const changed = new Map<string, string>()
  const names = [at].flat()
  for (const name of names) {
    const current = new Map([...sources, ...changed])
    const { file, language, offset } = findMarker(current, name)
    const before = current.get(file) ?? ''
    const after = (language === 'sql' ? changeMarkedLine : changeMarkedCode)(before, offset, change)
    if (after === before) throw new Error(`it changes nothing at "@point ${name}"`)
    changed.set(file, after)
  }
  return { changed, places: names.length }
}

function sweep(sources: SourceTexts, { files, find, replace }: Sweep): MutatedOnce {
  const changed = new Map<string, string>()
  let places = 0
  for (const [file, before] of sources) {
    const found = matchesGlob(file, files) ? [...before.matchAll(find)].length : 0
    if (found > 0) changed.set(file, before.replaceAll(find, replace))
    places += found
  }
  if (places === 0) throw new Error(`${String(find)} is nowhere in ${files}`)
  return { changed, places }
}
