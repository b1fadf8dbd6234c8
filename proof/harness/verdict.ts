/**
 * Compares what clients were promised with what is there: set algebra over a history and two readings of the end, one
 * through the API and one through SQL. Pure, so that it can be shown to notice each kind of loss.
 */
import type { RecordedCall } from './history.ts'
import type { Ledger, StoredDocument, StoredLog } from './ledger.ts'
import type { ListedDocument } from './listing.ts'

export type ProofVerdict = ReturnType<typeof judge>

const ENDS = new Set(['processed', 'failed', 'held'])

export function judge(calls: readonly RecordedCall[], ledger: Ledger, listed: readonly ListedDocument[]) {
  const stored = new Map(ledger.documents.map((document) => [placeOf(document), document]))
  const shown = new Map(listed.map((document) => [placeOf(document), document]))
  const acknowledged = calls.filter(({ ackedAt }) => ackedAt !== undefined)
  const places = acknowledged.map((call) => ({ call, place: placeOfCall(call) }))
  return {
    /** Acknowledged, and missing in the database or in the lists. */
    lost: places
      .filter(({ call, place }) => !stored.has(place) || shown.get(place)?.name !== call.name)
      .map(describePlace),
    /** Acknowledged and there, but not at its end. */
    unended: places.filter(({ place }) => isUnended(stored.get(place), shown.get(place))).map(describePlace),
    /** More than one end, reading or document where there must be one. */
    doubled: [...surplusOf(ledger), ...doubledDocuments(ledger.documents), ...doubledNames(listed)],
    /** Documents that nobody sent. */
    strangers: strangersOf(calls, listed),
    /** Failed without a reason that says what to do. */
    unexplained: listed.filter(({ status, reason }) => status === 'failed' && !reason).map(placeOf),
    /** Scope logs with a gap, or whose head is not their end. */
    brokenLogs: ledger.logs.filter(isBroken).map((log) => `${placeOfScope(log)}: ${JSON.stringify(log)}`),
    /** Calls that got different answers under one key. */
    contradicted: calls.filter(({ differentAnswers }) => differentAnswers > 0).map(({ key }) => key),
    /** Calls that were refused, although nothing was wrong with them. */
    refused: calls.filter(wasRefused).map(({ key, tries }) => `${key}: ${JSON.stringify(tries.at(-1))}`),
    failed: ledger.documents.filter(({ status }) => status === 'failed').length,
  }
}

function isUnended(stored: StoredDocument | undefined, shown: ListedDocument | undefined): boolean {
  return stored !== undefined && shown !== undefined && !(ENDS.has(stored.status) && ENDS.has(shown.status))
}

/** Whatever a document has beyond what its status asks for, or lacks of it. */
function doubledDocuments(documents: readonly StoredDocument[]): string[] {
  return documents
    .filter(({ status, ends, readings }) => {
      if (!ENDS.has(status)) return ends > 0 || readings > 0
      return ends !== 1 || readings !== (status === 'processed' ? 1 : 0)
    })
    .map((document) => `${placeOf(document)}: ${document.ends} ends, ${document.readings} readings`)
}

function surplusOf({ surplusEffects }: Ledger): string[] {
  return Array.from({ length: surplusEffects }, () => 'a surplus end or reading')
}

/** A call that was tried several times must have made one document; its name tells. */
function doubledNames(listed: readonly ListedDocument[]): string[] {
  return [...Map.groupBy(listed, ({ name }) => name)]
    .filter(([, documents]) => documents.length > 1)
    .flatMap(([name, documents]) => documents.slice(1).map((each) => `${name} again as ${placeOf(each)}`))
}

function strangersOf(calls: readonly RecordedCall[], listed: readonly ListedDocument[]): string[] {
  const sent = new Set(calls.map(({ name }) => name))
  return listed.filter(({ name }) => !sent.has(name)).map(placeOf)
}

function isBroken({ head, first, last, entries }: StoredLog): boolean {
  return entries !== head || last !== head || (entries > 0 && first !== 1)
}

function wasRefused({ tries, answer }: RecordedCall): boolean {
  return answer === undefined && tries.some(({ outcome, what }) => outcome === 'fail' && what.startsWith('4'))
}

interface Placed {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
}

function placeOf({ tenantId, scopeId, documentId }: Placed): string {
  return `${tenantId}/${scopeId}/${documentId}`
}

function placeOfScope({ tenantId, scopeId }: Omit<Placed, 'documentId'>): string {
  return `${tenantId}/${scopeId}`
}

function placeOfCall({ place: { tenantId, scopeId }, documentId = '' }: RecordedCall): string {
  return placeOf({ tenantId, scopeId, documentId })
}

function describePlace({ call, place }: { readonly call: RecordedCall; readonly place: string }): string {
  return `${call.name} (${place})`
}
