/** Tags and metadata of documents. They are encrypted like names, and found by keyed hashes of whole values. */
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface Labels {
  readonly tags: readonly string[]
  /** Sorted by key. Each key occurs once. */
  readonly metadata: readonly (readonly [key: string, value: string])[]
}

export const NO_LABELS: Labels = { tags: [], metadata: [] }

interface EncodedLabels {
  /** Null if there are none. */
  readonly sealed: Buffer | null
  /** One hash for each tag and each pair. */
  readonly hashes: readonly Buffer[]
}

export function encodeLabels(
  seal: ScopeSeal,
  { scopeId, documentId }: { readonly scopeId: string; readonly documentId: string },
  labels: Labels,
): EncodedLabels {
  const hashes = hashLabels(seal, scopeId, labels)
  return { sealed: hashes.length === 0 ? null : sealLabels(seal, documentId, labels), hashes }
}

function sealLabels(seal: ScopeSeal, documentId: string, { tags, metadata }: Labels): Buffer {
  return seal.seal('labels', documentId, Buffer.from(JSON.stringify([tags, metadata])))
}

export function openLabels(seal: ScopeSeal, documentId: string, sealed: Buffer): Labels {
  const [tags, metadata]: [Labels['tags'], Labels['metadata']] = JSON.parse(
    seal.open('labels', documentId, sealed).toString('utf8'),
  )
  return { tags, metadata }
}

/** Returns a hash for each tag and each pair. The same tag has different hashes in different scopes. */
export function hashLabels(seal: ScopeSeal, scopeId: string, { tags, metadata }: Labels): Buffer[] {
  return [
    ...tags.map((tag) => seal.fingerprint(['tag', scopeId, tag])),
    ...metadata.map(([key, value]) => seal.fingerprint(['metadata', scopeId, key, value])),
  ]
}

/** The labels that came with a document. Null if neither tags nor metadata were sent: the document then keeps those that it has. */
export function labelsOf({ tags, metadata }: LabelsChange): Labels | null {
  return tags || metadata ? changeLabels(NO_LABELS, { tags, metadata }) : null
}

/** Tags replace the previous ones. Metadata is merged, and null removes a key. */
export interface LabelsChange {
  readonly tags?: readonly string[] | undefined
  readonly metadata?: Readonly<Record<string, string | null>> | undefined
}

export function changeLabels(labels: Labels, change: LabelsChange): Labels {
  const tags = change.tags ? [...new Set(change.tags)] : labels.tags
  const merged = new Map<string, string | null>([
    ...labels.metadata,
    ...Object.entries(change.metadata ?? {}),
  ])
  const metadata = [...merged].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))
  return { tags, metadata: metadata.toSorted(([a], [b]) => (a < b ? -1 : 1)) }
}
