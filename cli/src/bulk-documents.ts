/** `concord documents retry` and `remove`: as many documents as are named, a hundred a request. */
import type { Command } from 'commander'
import type { Concord, DocumentRemovals, DocumentRetries } from '@concord/client'
import { connect } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { JSON_OUTPUT, printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { requireConsent } from './prompting.ts'
import { printLines } from '../terminal/screen.ts'
import { oneLine, plural } from '../terminal/words.ts'

interface RetryOptions extends OutputOptions, ProfileOptions {
  readonly failed?: boolean
}

interface RemoveOptions extends OutputOptions, ProfileOptions {
  readonly yes?: boolean
}

type Retried = DocumentRetries['results'][number]
type Removed = DocumentRemovals['results'][number]

export function addRetryCommand(parent: Command, environment: CliEnvironment): void {
  parent
    .command('retry')
    .argument('<scope>', 'its scope')
    .argument('[documentId...]', 'its id; several may be named')
    .description('have failed documents read again, or with --failed all of them')
    .option('--failed', 'all failed documents of the scope')
    .option(...PROFILE)
    .option(...JSON_OUTPUT)
    .action(async (scopeId: string, documentIds: string[], options: RetryOptions) => {
      if ((documentIds.length === 0) === (options.failed !== true))
        throw new Error('Name documents, or give --failed for all that failed.')
      const { concord } = await connect(options, environment)
      const results = options.failed
        ? await retryFailed(concord, scopeId)
        : await inPages(documentIds, async (ids) =>
            concord.retryDocuments({ scopeId, document_ids: ids }).then((answer) => answer.results),
          )
      if (options.json) printJson(results)
      else printLines([`${plural(results.filter((each) => each.queued).length, 'document')} queued again.`])
      refuse(results.flatMap((each) => (each.queued ? [] : [each])))
    })
}

async function retryFailed(concord: Concord, scopeId: string): Promise<Retried[]> {
  const retried: Retried[] = []
  let after: string | null | undefined
  while (after !== null) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const page: DocumentRetries = await concord.retryDocuments({
      scopeId,
      status: 'failed',
      ...(after !== undefined && { after }),
    })
    retried.push(...page.results)
    after = page.next_after
  }
  return retried
}

export function addRemoveCommand(parent: Command, environment: CliEnvironment): void {
  parent
    .command('remove')
    .alias('delete')
    .argument('<scope>', 'its scope')
    .argument('<documentId...>', 'its id; several may be named')
    .description('remove documents with their text, their claims and what was found in them')
    .option('--yes', 'do it without asking')
    .option(...PROFILE)
    .option(...JSON_OUTPUT)
    .action(async (scopeId: string, documentIds: string[], options: RemoveOptions) => {
      const { concord } = await connect(options, environment)
      const what = documentIds.length === 1 ? documentIds[0] : `${documentIds.length} documents`
      if (!options.yes) await requireConsent(`Remove ${oneLine(String(what))} from ${scopeId} for good?`)
      const results = await removeAll(concord, scopeId, documentIds)
      if (options.json) printJson(results)
      else printLines([`${plural(results.filter((each) => each.removed).length, 'document')} removed.`])
      refuse(results.flatMap((each) => (each.removed ? [] : [each])))
    })
}

/** The rest that the time of a request does not suffice for is sent again, as long as something of it is done. */
async function removeAll(
  concord: Concord,
  scopeId: string,
  documentIds: readonly string[],
): Promise<Removed[]> {
  const results = await inPages(documentIds, async (ids) =>
    concord.removeDocuments({ scopeId, document_ids: ids }).then((answer) => answer.results),
  )
  const isLate = (each: Removed) => !each.removed && each.problem.code === 'unavailable'
  const late = results.filter(isLate).map((each) => each.document_id)
  if (late.length === 0 || late.length === results.length) return results
  return [...results.filter((each) => !isLate(each)), ...(await removeAll(concord, scopeId, late))]
}

const PAGE = 100

async function inPages<Result>(
  ids: readonly string[],
  send: (page: readonly string[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < ids.length; at += PAGE)
    // oxlint-disable-next-line no-await-in-loop -- one request after the other
    results.push(...(await send(ids.slice(at, at + PAGE))))
  return results
}

interface Refused {
  readonly document_id: string
  readonly problem: { readonly title: string; readonly detail: string }
}

function refuse(refused: readonly Refused[]): void {
  if (refused.length === 0) return
  const lines = refused.map(
    ({ document_id: id, problem }) => `${oneLine(id)}: ${problem.title}. ${problem.detail}`,
  )
  throw new Error(lines.join('\n'))
}
