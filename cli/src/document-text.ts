/** `concord documents text`: the text of a document as it was sent, or a part of it. */
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Concord } from '@concord/client'
import { connect } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { writeOut } from '../terminal/screen.ts'
import { stripControls } from '../terminal/words.ts'

interface TextOptions extends ProfileOptions {
  readonly start: number
  readonly end?: number
  readonly docVersion?: number
}

export function addTextCommand(parent: Command, environment: CliEnvironment): void {
  parent
    .command('text')
    .argument('<scope>', 'its scope')
    .argument('<documentId>', 'its id')
    .description('print the text of a document as it was sent, or a part of it')
    .option('--start <offset>', 'the first character, counted from 0', parseOffset, 0)
    .option('--end <offset>', 'the character after the last one; the end of the text', parseOffset)
    .option('--doc-version <number>', 'another version than the newest', parseOffset)
    .option(...PROFILE)
    .action(async (scopeId: string, documentId: string, options: TextOptions) => {
      const { concord } = await connect(options, environment)
      const pieces = readText(concord, { scopeId, documentId }, options)
      for await (const piece of pieces)
        // A file gets what was sent; a terminal must not be steered by it.
        await writeOut(process.stdout.isTTY ? stripControls(piece) : piece)
      if (process.stdout.isTTY) process.stdout.write('\n')
    })
}

function parseOffset(value: string): number {
  if (!/^(?:0|[1-9][0-9]{0,8})$/.test(value)) throw new InvalidArgumentError('Give a whole number from 0 on.')
  return Number(value)
}

/** Every piece is of the version of the first one, also where a newer one comes meanwhile. */
async function* readText(
  concord: Concord,
  place: { readonly scopeId: string; readonly documentId: string },
  { start, end = Number.POSITIVE_INFINITY, docVersion }: TextOptions,
): AsyncGenerator<string, void> {
  let [at, version] = [start, docVersion]
  for (;;) {
    const range = { start: at, ...(end - at <= PIECE && { end }), ...(version !== undefined && { version }) }
    // oxlint-disable-next-line no-await-in-loop -- each piece begins where the one before ends
    const piece = await concord.getDocumentText({ ...place, ...range })
    yield piece.text
    at = piece.end
    version = piece.version
    if (piece.text === '' || at >= end || at >= piece.characters) return
  }
}

/** The largest piece that one request may ask for. */
const PIECE = 20_000
