/** `concord reread`: has documents of a scope read again, and shows how far that has come. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Concord, Reread } from '@concord/client'
import { connect, scopeOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { JSON_OUTPUT, printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { printLines } from '../terminal/screen.ts'
import { oneLine, plural } from '../terminal/words.ts'

interface RereadOptions extends OutputOptions, ProfileOptions {
  readonly document?: readonly string[]
  readonly readBy?: string
  readonly status?: boolean
  readonly wait?: boolean
}

export function addRereadCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('reread')
    .argument('[scope]', 'the scope; default: that of the profile')
    .description('read documents again with the current reader; decisions stay')
    .option('--document <id...>', 'only these, whichever reader read them')
    .option('--read-by <reader>', 'only those that this reader read, as rules, model or model/NAME')
    .option('--status', 'show the progress of the last reread, and start none')
    .option('--wait', 'wait until it has ended')
    .option(...PROFILE)
    .option(...JSON_OUTPUT)
    .action(async (scope: string | undefined, options: RereadOptions) => {
      const { concord, profile } = await connect(options, environment)
      const scopeId = scopeOf(scope, profile)
      const begun = await (options.status
        ? concord.getReread({ scopeId })
        : request(concord, scopeId, options))
      const reread = options.wait ? await untilEnded(concord, begun, options) : begun
      if (options.json) printJson(reread)
      else printLines(describeReread(reread))
    })
}

async function request(
  concord: Concord,
  scopeId: string,
  { document, readBy }: RereadOptions,
): Promise<Reread> {
  return concord.rereadScope({
    scopeId,
    ...(document && { document_ids: [...document] }),
    ...(readBy !== undefined && { read_by: readBy }),
  })
}

const EVERY_MS = 1_000

/** Tells of progress where somebody reads along. */
async function untilEnded(concord: Concord, begun: Reread, { json }: RereadOptions): Promise<Reread> {
  let reread = begun
  while (reread.state === 'running') {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    await delay(EVERY_MS)
    const before = progressOf(reread)
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    reread = await concord.getReread({ scopeId: begun.scope_id })
    if (!json && reread.state === 'running' && progressOf(reread) !== before)
      printLines([`${progressOf(reread)} read again`])
  }
  return reread
}

function progressOf({ documents_read: read, documents_queued: queued }: Reread): string {
  return `${read} of ${plural(queued, 'document')}`
}

function describeReread(reread: Reread): string[] {
  const { state, scope_id: scopeId, read_by: readBy, documents_named: named } = reread
  if (state === 'none') return [`No document of ${scopeId} was ever asked to be read again.`]
  const which =
    readBy !== null ? ` that ${oneLine(readBy)} had read` : named !== null ? ` (${named} named)` : ''
  if (state === 'ended') return [`Ended. Read again: ${plural(reread.documents_read, 'document')}${which}.`]
  return [
    `Documents${which} are being read again: ${progressOf(reread)} so far.`,
    `See how far it has come: concord reread ${scopeId} --status`,
  ]
}
