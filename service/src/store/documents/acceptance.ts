/** The statement that accepts documents: one for a batch, for all tenants in it. */
import { KEYS_KNOWN_SECONDS } from '../../platform/idempotency.ts'
import type { Pool } from '../pools.ts'

export interface NewDocument {
  readonly tenantId: string
  readonly scopeId: string
  readonly epoch: number
  readonly documentId: string
  readonly type: string
  readonly characters: number
  readonly fingerprint: Buffer
  /** The hashes of the idempotency key and of the whole request. Null if no key was sent. */
  readonly idempotency: { readonly keyHash: Buffer; readonly request: Buffer } | null
  readonly sealedCard: Buffer
  /** Null if the document was sent as text. */
  readonly sealedLayout: Buffer | null
  readonly sealedText: Buffer
  /** The encrypted tags and metadata, and their hashes. Null keeps those that the document has. */
  readonly labels?: { readonly sealed: Buffer | null; readonly hashes: readonly Buffer[] } | null
}

export type AcceptOutcome =
  | 'accepted'
  | 'replayed'
  | 'key_reused'
  | 'scope_not_found'
  | 'stale_epoch'
  | 'busy'

export interface AcceptResult {
  readonly outcome: AcceptOutcome
  readonly documentId: string
  readonly seq: number
}

interface Row {
  readonly item: number
  readonly outcome: AcceptOutcome
  readonly document_id: string
  readonly seq: string | null
}

/**
 * Accepts a batch of documents, tenant by tenant inside the statement, so that row-level security applies to each.
 * Answers are in the order of the documents.
 */
export async function acceptDocuments(
  pool: Pool,
  documents: readonly NewDocument[],
): Promise<AcceptResult[]> {
  const { groups, content } = packDocuments(documents)
  // @point ingest.write
  const { rows } = await pool.query<Row>({
    name: 'accept-documents',
    text: 'select item, outcome, document_id, seq from accept_documents($1, $2, $3)',
    values: [groups, content, KEYS_KNOWN_SECONDS],
  })
  const answers: AcceptResult[] = []
  for (const row of rows)
    answers[row.item] = { outcome: row.outcome, documentId: row.document_id, seq: Number(row.seq ?? 0) }
  return answers
}

/** Encrypted bytes are sent as one binary parameter, with offsets in JSON. Hex would double their size. */
function packDocuments(documents: readonly NewDocument[]): { groups: string; content: Buffer } {
  const pieces: Buffer[] = []
  let length = 0
  const place = (piece: Buffer): number => {
    const at = length
    pieces.push(piece)
    length += piece.length
    return at
  }
  const byTenant = Map.groupBy(documents.entries(), ([, { tenantId }]) => tenantId)
  const groups = [...byTenant.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([tenant, entries]) => ({
      tenant,
      items: entries.map(([item, document]) => packItem(item, document, place)),
    }))
  return { groups: JSON.stringify(groups), content: Buffer.concat(pieces, length) }
}

function packItem(item: number, document: NewDocument, place: (piece: Buffer) => number) {
  return {
    item,
    scope: document.scopeId,
    epoch: document.epoch,
    document: document.documentId,
    type: document.type,
    characters: document.characters,
    fingerprint: document.fingerprint.toString('base64'),
    key: document.idempotency?.keyHash.toString('base64') ?? null,
    request: document.idempotency?.request.toString('base64') ?? null,
    card_at: place(document.sealedCard),
    card_length: document.sealedCard.length,
    ...(document.sealedLayout && {
      layout_at: place(document.sealedLayout),
      layout_length: document.sealedLayout.length,
    }),
    text_at: place(document.sealedText),
    text_length: document.sealedText.length,
    ...(document.labels && packLabels(document.labels, place)),
  }
}

function packLabels(
  { sealed, hashes }: NonNullable<NewDocument['labels']>,
  place: (piece: Buffer) => number,
) {
  const labels = hashes.map((hash) => hash.toString('base64'))
  return sealed ? { labels, labels_at: place(sealed), labels_length: sealed.length } : { labels }
}
