/** `concord ingest`: files and folders into a scope, followed until each is at its end. Running it again goes on. */
import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { connect, scopeOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { addTag, addText, labelsOf } from './ingest/labels.ts'
import { untilCompared } from './ingest/comparing.ts'
import { createBoard } from './ingest/board.ts'
import type { Standing } from './ingest/board.ts'
import { followScope } from './ingest/following.ts'
import type { Following } from './ingest/following.ts'
import { createProgress, silentProgress } from './ingest/progress.ts'
import type { IngestProgress } from './ingest/progress.ts'
import { sendAll } from './ingest/sending.ts'
import { collectSources, sourceOfInput } from './ingest/sources.ts'
import type { Sources } from './ingest/sources.ts'
import { describeSummary, summarise } from './ingest/summary.ts'
import type { Comparisons, IngestSummary } from './ingest/summary.ts'
import { untilInterrupted } from './interrupting.ts'
import { printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { readStdin } from './prompting.ts'
import { fileTypes } from './ingest/file-types.ts'
import type { Concord, FileType } from '@concord/client'

interface IngestOptions extends OutputOptions, ProfileOptions {
  readonly scope?: string
  readonly id?: string
  readonly type: FileType
  readonly tag?: readonly string[]
  readonly metadata?: Readonly<Record<string, string>>
  readonly concurrency: number
  readonly wait: boolean
  readonly retryFailed?: boolean
  readonly quiet?: boolean
}

const INTERRUPTED = 130

export function addIngestCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('ingest')
    .argument('<paths...>', 'files and folders, or - for the standard input')
    .description('send .txt, .md, .html, .pdf, .docx, .xlsx, .pptx, .csv and .eml files')
    .option('--scope <id>', 'into which scope')
    .option('--id <id>', 'of the document on the standard input')
    .addOption(
      new Option('--type <type>', 'of the document on the standard input').choices(fileTypes).default('txt'),
    )
    .option('--tag <tag>', 'set this tag on each document; may be given again', addTag)
    .option('--metadata <key=value>', 'set this text on each document; may be given again', addText)
    .option('--concurrency <number>', 'how many at a time', parseConcurrency, 8)
    .option('--no-wait', 'end when everything is accepted')
    .option('--retry-failed', 'also retry documents that failed before')
    .option('--quiet', 'print nothing before the end')
    .option(...PROFILE)
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
The path of a file, from where you stand, is the id of its document: the same file again is a repetition, a file that
has changed is a new version. Interrupt it as you like; running it again goes on where it was.
Tags and metadata replace those of each document; without either, documents keep theirs.
Ends with 1 where a file could not be read, sent or processed.

  concord ingest --scope first-case reports/ minutes.docx
  concord ingest --scope first-case leases/ --tag lease --metadata matter=7/2025
  pandoc odd.odt -t plain | concord ingest --scope first-case - --id odd`,
    )
    .action(async (paths: string[], options: IngestOptions) => {
      const { concord, profile } = await connect(options, environment)
      const scopeId = scopeOf(options.scope, profile)
      const summary = await ingest(concord, scopeId, await gather(paths, options), options)
      if (options.json) printJson(summary)
      else process.stdout.write(`${describeSummary(summary).join('\n')}\n`)
      if (summary.failed.length > 0) process.exitCode = 1
    })
}

async function gather(paths: readonly string[], { id, type }: IngestOptions): Promise<Sources> {
  const files = paths.filter((path) => path !== '-')
  const found = await collectSources(files, process.cwd())
  if (files.length === paths.length) return found
  if (id === undefined) throw new Error('Say what the document on the standard input is called: --id ID.')
  return { ...found, sources: [...found.sources, sourceOfInput(id, type, readStdin)] }
}

interface IngestingOptions extends Pick<
  IngestOptions,
  'concurrency' | 'wait' | 'retryFailed' | 'quiet' | 'json' | 'tag' | 'metadata'
> {
  /** Whether each document is sent only when those before it are read and compared: the same documents then make the same requests. */
  readonly inTurn?: boolean
}

export async function ingest(
  concord: Concord,
  scopeId: string,
  { sources, leftOut }: Sources,
  options: IngestingOptions,
): Promise<IngestSummary> {
  const { log_head: head, runtime } = await concord.getOwnScope({ scopeId })
  let progress: IngestProgress = silentProgress
  const board = createBoard(sources, (standing: Standing) => progress.note(standing))
  const following = followScope(concord, scopeId, head ?? 0, board)
  if (!options.quiet && !options.json) progress = createProgress(scopeId, () => board, following.opened)
  const note = (pending: number) => progress.compare(pending)
  let comparisons: Comparisons | null = null
  const moves = runtime.effective === 'running'
  try {
    const interrupted = await untilInterrupted(async (signal) => {
      const { inTurn = false, concurrency, retryFailed = false } = options
      const settling = { concord, scopeId, following, note }
      const sending = { concord, scopeId, board, retryFailed, signal, labels: labelsOf(options) }
      const afterEach = () => settle({ ...settling, note: () => undefined }, board.untilIdle(), signal)
      await sendAll(inTurn ? { ...sending, concurrency: 1, afterEach } : { ...sending, concurrency }, sources)
      board.close()
      if (options.wait && moves) comparisons = await settle(settling, board.settled, signal)
    })
    if (interrupted) process.exitCode = INTERRUPTED
  } finally {
    following.stop()
    progress.end()
  }
  const summary = summarise(scopeId, board.standings, leftOut, following.opened(), comparisons)
  if (!options.json) tellWhyNotDone(summary, runtime.effective)
  return summary
}

interface Settling {
  readonly concord: Concord
  readonly scopeId: string
  readonly following: Following
  /** Told how many comparisons are left. */
  readonly note: (pending: number) => void
}

/** Until documents are at their end and compared, and what that opened was told; null where that was interrupted. */
async function settle(
  { concord, scopeId, following, note }: Settling,
  ended: Promise<void>,
  signal: AbortSignal,
): Promise<Comparisons | null> {
  const { promise: interrupted, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  await Promise.race([ended, interrupted])
  if (signal.aborted) return null
  const { head, ...comparisons } = await untilCompared(concord, scopeId, signal, note)
  await following.reach(head)
  return comparisons
}

function tellWhyNotDone({ not_sent: notSent, unfinished }: IngestSummary, state: string): void {
  if (notSent > 0)
    process.stderr.write('Interrupted. Run the same again to go on; nothing is stored twice.\n')
  else if (unfinished > 0 && state !== 'running')
    process.stderr.write(`Work on this scope is ${state}; what was accepted waits until it runs again.\n`)
}

function parseConcurrency(value: string): number {
  if (!/^\d{1,2}$/.test(value) || Number(value) < 1 || Number(value) > 64)
    throw new InvalidArgumentError('Give a number from 1 to 64.')
  return Number(value)
}
