/** `concord documents`: what is in a scope, where each stands, and how much of it was read. */
import { Option } from 'commander'
import type { Command } from 'commander'
import type { Document, DocumentDetail, DocumentStatus } from '@concord/client'
import { documentStatuses } from './choices.ts'
import { fitColumns, wrap } from './columns.ts'
import { connect, scopeOf } from './connecting.ts'
import type { Environment } from './environment.ts'
import { DEFAULT_LIMIT, parseLimit, takeFirst, tellOfMore } from './listing.ts'
import type { ListOptions } from './listing.ts'
import { printJson } from './output.ts'
import type { OutputOptions } from './output.ts'
import type { ProfileOptions } from './profile.ts'
import { describeReading, readCell } from './reading-view.ts'
import { pageWidth, printLines, tableWidth } from './terminal.ts'
import { oneLine, plural } from './words.ts'

interface ShowOptions extends OutputOptions, ProfileOptions {}

interface ListingOptions extends ShowOptions, ListOptions {
  readonly status?: DocumentStatus
}

export function addDocumentCommands(program: Command, environment: Environment): void {
  const documents = program
    .command('documents')
    .alias('document')
    .description('list and show the documents of a scope, and how much of each was read')
  addList(documents, environment)
  addShow(documents, environment)
}

function addList(parent: Command, environment: Environment): void {
  parent
    .command('list')
    .argument('[scope]', 'the scope; that of the profile where none is named')
    .description('list documents by id, with their status and how much was read')
    .addOption(new Option('--status <status>', 'only those').choices(documentStatuses))
    .option('--limit <number>', 'how many, or all', parseLimit, DEFAULT_LIMIT)
    .option('--profile <name>', 'another profile than the default')
    .option('--json', 'print JSON')
    .action(async (scope: string | undefined, options: ListingOptions) => {
      const { concord, profile } = await connect(options, environment)
      const scopeId = scopeOf(scope, profile)
      const query = { scopeId, ...(options.status && { status: options.status }) }
      const listed = await takeFirst(concord.listDocuments.all(query), options)
      if (options.json) printJson(listed.items)
      else printLines(drawDocuments(listed.items))
      tellOfMore(listed)
    })
}

function addShow(parent: Command, environment: Environment): void {
  parent
    .command('show')
    .argument('<scope>', 'its scope')
    .argument('<documentId>', 'its id')
    .description('show one document: its status, what was read of it, what was not and why')
    .option('--profile <name>', 'another profile than the default')
    .option('--json', 'print JSON')
    .action(async (scopeId: string, documentId: string, options: ShowOptions) => {
      const { concord } = await connect(options, environment)
      const document = await concord.getDocument({ scopeId, documentId })
      if (options.json) printJson(document)
      else printLines(describeDocument(document, pageWidth()))
    })
}

/** Names that are all the same as the ids would only take room from the rest. */
function drawDocuments(documents: readonly Document[]): string[] {
  if (documents.length === 0) return ['(none)']
  const showsNames = documents.some(({ document_id: id, name }) => id !== name)
  const heading = ['DOCUMENT', ...(showsNames ? ['NAME'] : []), 'STATUS', 'READ', 'CLAIMS', 'COMPARED']
  return fitColumns([heading, ...documents.map((each) => cellsOf(each, showsNames))], tableWidth())
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
  const { source, error, hold, stage, versions, waiting_reason: waiting } = document
  return [
    ['document', document.document_id],
    ['name', document.name],
    ['type', document.type],
    ...(source === null ? [] : ([['source', source]] satisfies [string, string][])),
    [
      'version',
      `${document.version}${versions.length > 1 ? ` (${plural(versions.length, 'version')} kept)` : ''}`,
    ],
    ['status', stage === null ? document.status : `${document.status} (${stage})`],
    ...(error === null ? [] : ([['error', `${error.code}: ${error.message}`]] satisfies [string, string][])),
    ...(hold === null ? [] : ([['held', hold.reason]] satisfies [string, string][])),
    ...(waiting === null
      ? []
      : ([['waits', `for the language model (${waiting})`]] satisfies [string, string][])),
    ['changed', document.updated_at],
  ]
}

function readingOf({ reading, status }: DocumentDetail): string[] {
  if (reading !== null) return describeReading(reading)
  return status === 'queued' || status === 'processing' ? ['It is not read yet.'] : ['It was not read.']
}
