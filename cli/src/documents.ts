/** `concord documents`: what is in a scope, where each stands, and how much of it was read. */
import { Option } from 'commander'
import type { Command } from 'commander'
import type { Document, DocumentDetail, DocumentOrder, DocumentStatus } from '@concord/client'
import { addRemoveCommand, addRetryCommand } from './bulk-documents.ts'
import { documentOrders, documentStatuses, severalOf } from './choices.ts'
import { addSetCommand, labelFacts } from './document-labels.ts'
import { addTextCommand } from './document-text.ts'
import { fitColumns, wrap } from '../terminal/columns.ts'
import { connect, scopeOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { DEFAULT_LIMIT, onlyGiven, parseInstant, parseLimit, printFirst } from './listing.ts'
import type { ListOptions } from './listing.ts'
import { JSON_OUTPUT, printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { partsInWords } from '@concord/client/report'
import { describeReading, readCell } from './reading-view.ts'
import { pageWidth, printLines, tableWidth } from '../terminal/screen.ts'
import { oneLine, plural } from '../terminal/words.ts'

interface ShowOptions extends OutputOptions, ProfileOptions {}

interface ListingOptions extends ShowOptions, ListOptions {
  readonly status?: readonly DocumentStatus[]
  readonly name?: string
  readonly type?: string
  readonly source?: string
  readonly tag?: string
  readonly metadata?: string
  readonly since?: string
  readonly order?: DocumentOrder
}

export function addDocumentCommands(program: Command, environment: CliEnvironment): void {
  const documents = program
    .command('documents')
    .alias('document')
    .description('list, show, print, label, retry and remove the documents of a scope')
  addList(documents, environment)
  addShow(documents, environment)
  addTextCommand(documents, environment)
  addSetCommand(documents, environment)
  addRetryCommand(documents, environment)
  addRemoveCommand(documents, environment)
}

function addList(parent: Command, environment: CliEnvironment): void {
  parent
    .command('list')
    .argument('[scope]', 'the scope; default: that of the profile')
    .description('list documents with their status and how much was read')
    .addOption(severalOf('--status <statuses>', 'only those', documentStatuses))
    .option('--name <beginning>', 'only those whose name begins so')
    .option('--type <type>', 'only those of exactly this type')
    .option('--source <beginning>', 'only those whose source begins so')
    .option('--tag <tag>', 'only those that have exactly this tag')
    .option('--metadata <key:value>', 'only those whose metadata has exactly this value under this key')
    .option('--since <time>', 'only those that changed since, such as 2026-11-15T09:30:00Z', parseInstant)
    .addOption(new Option('--order <order>', 'by id or by last change').choices(documentOrders))
    .option('--limit <number>', 'how many, or all', parseLimit, DEFAULT_LIMIT)
    .option(...PROFILE)
    .option(...JSON_OUTPUT)
    .action(async (scope: string | undefined, options: ListingOptions) => {
      const { concord, profile } = await connect(options, environment)
      const scopeId = scopeOf(scope, profile)
      await printFirst(concord.listDocuments.all({ scopeId, ...filterOf(options) }), options, drawDocuments)
    })
}

function filterOf({ status, name, type, source, tag, metadata, since, order }: ListingOptions) {
  return onlyGiven({ status, name, type, source, tag, metadata, updated_since: since, order })
}

function addShow(parent: Command, environment: CliEnvironment): void {
  parent
    .command('show')
    .argument('<scope>', 'its scope')
    .argument('<documentId>', 'its id')
    .description('show one document: its status, what was read of it, what was not and why')
    .option(...PROFILE)
    .option(...JSON_OUTPUT)
    .action(async (scopeId: string, documentId: string, options: ShowOptions) => {
      const { concord } = await connect(options, environment)
      const document = await concord.getDocument({ scopeId, documentId })
      if (options.json) printJson(document)
      else printLines(describeDocument(document, pageWidth()))
    })
}

/** Names that are all the ids, or the last parts of them, would only take room from the rest. */
function drawDocuments(documents: readonly Document[]): string[] {
  const showsNames = documents.some(({ document_id: id, name }) => id !== name && !id.endsWith(`/${name}`))
  const heading = ['DOCUMENT', ...(showsNames ? ['NAME'] : []), 'STATUS', 'READ', 'CLAIMS', 'COMPARED']
  return fitColumns([heading, ...documents.map((each) => cellsOf(each, showsNames))], tableWidth(), [
    'DOCUMENT',
  ])
}

function cellsOf({ document_id: id, name, status, reading }: Document, showsName: boolean): string[] {
  return [
    oneLine(id),
    ...(showsName ? [oneLine(name)] : []),
    status,
    reading === null ? '-' : readCell(reading),
    String(reading?.claims ?? '-'),
    String(reading?.claims_compared ?? '-'),
  ]
}

const LABEL = 10

export function describeDocument(document: DocumentDetail, width: number): string[] {
  const rows = facts(document).flatMap(([label, text]) =>
    wrap(oneLine(text), width - LABEL).map((line, at) => `${(at === 0 ? label : '').padEnd(LABEL)}${line}`),
  )
  return [
    ...rows,
    '',
    ...readingOf(document).flatMap((sentence) =>
      wrap(sentence, width - 2).map((line, at) => (at === 0 ? line : `  ${line}`)),
    ),
  ]
}

function facts(document: DocumentDetail): [string, string][] {
  const { source, error, hold, stage, waiting_reason: waiting } = document
  return [
    ['document', document.document_id],
    ['name', document.name],
    ['type', document.type],
    ...(source === null ? [] : ([['source', source]] satisfies [string, string][])),
    ...labelFacts(document),
    ['version', `${document.version}${keptVersions(document)}`],
    ['status', stage === null ? document.status : `${document.status} (${stage})`],
    ...(error === null ? [] : ([['error', `${error.code}: ${error.message}`]] satisfies [string, string][])),
    ...(hold === null ? [] : ([['held', hold.reason]] satisfies [string, string][])),
    ...(waiting === null
      ? []
      : ([['waits', `for the language model (${waiting})`]] satisfies [string, string][])),
    ['changed', document.updated_at],
  ]
}

function keptVersions({ versions, next_versions_cursor: next }: DocumentDetail): string {
  if (next !== null) return ` (more than ${plural(versions.length, 'version')} kept)`
  return versions.length > 1 ? ` (${plural(versions.length, 'version')} kept)` : ''
}

function readingOf({ reading, status, unread, unread_total: unreadTotal }: DocumentDetail): string[] {
  const missing =
    unreadTotal === 0
      ? []
      : [`Not read of the file, because it has no text: ${partsInWords(unread, unreadTotal)}.`]
  if (reading !== null) return [...describeReading(reading), ...missing]
  return status === 'queued' || status === 'processing' ? ['It is not read yet.'] : ['It was not read.']
}
