/** `concord documents set`: the tags and the metadata of a document. */
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { connect } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { JSON_OUTPUT, printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { printLines } from '../terminal/screen.ts'
import { oneLine } from '../terminal/words.ts'

interface SetOptions extends OutputOptions, ProfileOptions {
  readonly tags?: readonly string[]
  readonly metadata?: Readonly<Record<string, string | null>>
}

export function addSetCommand(parent: Command, environment: CliEnvironment): void {
  parent
    .command('set')
    .argument('<scope>', 'its scope')
    .argument('<documentId>', 'its id')
    .description('set tags and metadata of a document')
    .option('--tags <tags>', 'these in place of those it has, with commas between; "" for none', splitTags)
    .option('--metadata <key=value>', 'set one text; KEY= removes it; may be given again', addPair)
    .option(...PROFILE)
    .option(...JSON_OUTPUT)
    .action(async (scopeId: string, documentId: string, options: SetOptions) => {
      const { tags, metadata } = options
      if (!tags && !metadata) throw new Error('Give --tags or --metadata.')
      const { concord } = await connect(options, environment)
      const change = { ...(tags && { tags }), ...(metadata && { metadata }) }
      const document = await concord.updateDocument({ scopeId, documentId, ...change })
      if (options.json) printJson(document)
      else printLines(labelFacts(document).map(([label, text]) => `${label.padEnd(10)}${oneLine(text)}`))
    })
}

function splitTags(given: string): string[] {
  return given
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

function addPair(given: string, before: SetOptions['metadata']): Record<string, string | null> {
  const at = given.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Give KEY=VALUE, or KEY= to remove it.')
  return { ...before, [given.slice(0, at)]: given.slice(at + 1) || null }
}

interface Labelled {
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
}

/** The labels as `documents show` lists them; nothing where there are none. */
export function labelFacts({ tags, metadata }: Labelled): [label: string, text: string][] {
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}=${value}`)
  return [
    ...(tags.length === 0 ? [] : ([['tags', tags.join(', ')]] satisfies [string, string][])),
    ...pairs.map((pair, at): [string, string] => [at === 0 ? 'metadata' : '', pair]),
  ]
}
