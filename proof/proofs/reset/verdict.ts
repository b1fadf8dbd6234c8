/**
 * Compares what writers and resetters were answered with what is left: a document before the last reset of its scope must
 * be gone from everywhere, one after it must be there and processed. Pure, so that it can be shown to notice each fault.
 */
import type { ListedDocument } from '../../harness/listing.ts'
import type { LeftScope, Remains, Remnant } from './remains.ts'
import type { Reset } from './resets.ts'
import type { WrittenDocument } from './writers.ts'

export interface ResetEvidence {
  readonly sent: readonly WrittenDocument[]
  readonly resets: readonly Reset[]
  readonly remains: Remains
  readonly listed: readonly ListedDocument[]
}

export type ResetVerdict = ReturnType<typeof judgeResets>

interface Story {
  readonly scope: LeftScope
  readonly sent: readonly WrittenDocument[]
  /** In the order of the log. */
  readonly resets: readonly Reset[]
  readonly rows: readonly Remnant[]
  readonly listed: readonly ListedDocument[]
  /** Where the last reset stands in the log, and the generation that began there; 0 where there was none. */
  readonly lastSeq: number
  readonly lastEpoch: number
}

export function judgeResets(evidence: ResetEvidence) {
  const stories = tellStories(evidence)
  const accepted = stories.flatMap(({ sent, lastSeq }) =>
    sent.filter(({ seq }) => seq !== undefined).map(({ seq = 0 }) => seq > lastSeq),
  )
  const kept = accepted.filter(Boolean).length
  return {
    /** Accepted before the last reset of their scope, and after it. */
    erased: accepted.length - kept,
    kept,
    /** Rows of an older generation, or of a document that must be gone. */
    resurrected: stories.flatMap(findResurrected),
    /** Accepted after the last reset, and missing in the database or in the list. */
    lost: stories.flatMap(findLost),
    unended: stories.flatMap((story) => findByStatus(story, (status) => !ENDS.has(status))),
    failed: stories.flatMap((story) => findByStatus(story, (status) => status === 'failed')),
    /** In the database or in a list, and sent by nobody. */
    strangers: stories.flatMap(findStrangers),
    /** Places in a log that two answers name. */
    doubledSeqs: stories.flatMap(findDoubledSeqs),
    /** Scopes whose generation, or the generation of whose data key, is not the one last answered. */
    wrongEpochs: stories.flatMap(findWrongEpochs),
    /** Logs that do not begin with the last reset, have a gap, or do not end at their head. */
    brokenLogs: stories.flatMap(findBrokenLog),
    /** Resets whose generation or counts do not fit the places of what was accepted. */
    oddResets: stories.flatMap(findOddResets),
  }
}

const ENDS = new Set(['processed', 'failed'])

/** One for each scope that is there; nobody deletes any here. */
function tellStories({ sent, resets, remains, listed }: ResetEvidence): Story[] {
  const sentTo = Map.groupBy(sent, nameOf)
  const resetsOf = Map.groupBy(resets, nameOf)
  const rowsOf = Map.groupBy(remains.rows, nameOf)
  const listedOf = Map.groupBy(listed, nameOf)
  return remains.scopes.map((scope) => {
    const name = nameOf(scope)
    const inOrder = (resetsOf.get(name) ?? []).toSorted((a, b) => a.seq - b.seq)
    const last = inOrder.at(-1)
    return {
      scope,
      sent: sentTo.get(name) ?? [],
      resets: inOrder,
      rows: rowsOf.get(name) ?? [],
      listed: listedOf.get(name) ?? [],
      lastSeq: last?.seq ?? 0,
      lastEpoch: last?.epoch ?? 0,
    }
  })
}

interface Placed {
  readonly tenantId: string
  readonly scopeId: string
}

function findResurrected({ sent, rows, listed, lastSeq, lastEpoch }: Story): string[] {
  const gone = new Set(sent.filter(({ seq }) => seq !== undefined && seq < lastSeq).map(({ id }) => id))
  const isOld = ({ documentId, epoch, seq }: Remnant) =>
    (documentId !== null && gone.has(documentId)) ||
    (epoch !== null && epoch < lastEpoch) ||
    (seq !== null && seq < lastSeq)
  return [
    ...rows.filter(isOld).map((row) => `${describe(row)} in ${row.table}`),
    ...listed.filter(({ documentId }) => gone.has(documentId)).map((each) => `${describe(each)} in the list`),
  ]
}

function findLost({ sent, rows, listed, lastSeq }: Story): string[] {
  const stored = new Set(documentsIn(rows).map(({ documentId }) => documentId))
  // The name is the id, sealed: whoever lists it has opened what this generation sealed.
  const shown = new Set(listed.filter(({ name, documentId }) => name === documentId).map(({ name }) => name))
  return sent
    .filter(({ id, seq }) => seq !== undefined && seq > lastSeq && !(stored.has(id) && shown.has(id)))
    .map((each) => `${describe({ ...each, documentId: each.id })}, accepted at ${each.seq}`)
}

function findByStatus({ rows }: Story, isMeant: (status: string) => boolean): string[] {
  return documentsIn(rows)
    .filter(({ label }) => isMeant(label ?? ''))
    .map((row) => `${describe(row)}: ${row.label}`)
}

function findStrangers({ sent, rows, listed }: Story): string[] {
  const known = new Set(sent.map(({ id }) => id))
  const isStrange = ({ documentId }: { readonly documentId: string | null }) =>
    documentId !== null && !known.has(documentId)
  return [...rows.filter(isStrange), ...listed.filter(isStrange)].map(describe)
}

function findDoubledSeqs({ scope, sent, resets }: Story): string[] {
  const seqs = [...sent, ...resets].flatMap(({ seq }) => (seq === undefined ? [] : [seq]))
  return [...Map.groupBy(seqs, (seq) => seq)]
    .filter(([, times]) => times.length > 1)
    .map(([seq]) => `${nameOf(scope)} at ${seq}`)
}

function findWrongEpochs({ scope, lastEpoch }: Story): string[] {
  const { epoch, headEpoch, keyEpochs } = scope
  const isRight = epoch === lastEpoch && headEpoch === lastEpoch && keyEpochs.join() === String(lastEpoch)
  return isRight ? [] : [`${nameOf(scope)}: ${JSON.stringify({ epoch, headEpoch, keyEpochs, lastEpoch })}`]
}

function findBrokenLog({ scope, rows, lastSeq, resets }: Story): string[] {
  const log = rows.filter(({ table }) => table === 'scope_log')
  const entries = log.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
  const start = resets.length === 0 ? 1 : lastSeq
  const isWhole = entries.every(({ seq }, index) => seq === start + index)
  const isOpened = resets.length === 0 || entries[0]?.label === 'scope.reset'
  if (isWhole && isOpened && entries.at(-1)?.seq === scope.head) return []
  const ends = [entries[0], entries.at(-1)].map((entry) => `${entry?.label} at ${entry?.seq}`)
  return [
    `${nameOf(scope)}: ${entries.length} entries from ${ends.join(' to ')}, head ${scope.head}, from ${start}`,
  ]
}

/** Generations follow the log one by one, and each reset removed what was accepted since the one before it. */
function findOddResets({ scope, sent, resets }: Story): string[] {
  const open = sent.filter((each) => each.open).length
  return resets.flatMap((reset, index) => {
    // The log of a scope begins with its creation, which the first reset removes too.
    const since = resets[index - 1]?.seq ?? 1
    const accepted = sent.filter(({ seq = 0 }) => seq > since && seq < reset.seq).length
    const { documents, idempotency_records: records, log_entries: entries } = reset.removed
    const isBetween = (count: number) => count >= accepted && count <= accepted + open
    const faults = [
      reset.epoch === index + 1 ? '' : `generation ${reset.epoch}, the ${index + 1}th in the log`,
      isBetween(documents) ? '' : `${documents} documents removed, ${accepted} accepted`,
      isBetween(records) ? '' : `${records} idempotency records removed, ${accepted} accepted`,
      entries === reset.seq - since ? '' : `${entries} entries removed, ${reset.seq - since} were there`,
    ].filter((fault) => fault !== '')
    return faults.length === 0 ? [] : [`${nameOf(scope)} at ${reset.seq}: ${faults.join('; ')}`]
  })
}

function documentsIn(rows: readonly Remnant[]): Remnant[] {
  return rows.filter(({ table }) => table === 'documents')
}

function nameOf({ tenantId, scopeId }: Placed): string {
  return `${tenantId}/${scopeId}`
}

function describe(row: Placed & { readonly documentId: string | null }): string {
  return `${nameOf(row)}/${row.documentId ?? ''}`
}
