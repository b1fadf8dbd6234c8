/**
 * Encrypts and decrypts the card of a document, which is its name, source and provenance, and the layout of its file. The
 * layout may be a megabyte and is sealed apart, because every list of documents reads the cards.
 */
import type { FileLayout, UnreadFilePart } from '../../domain/file-layout.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface DocumentCard {
  readonly name: string
  readonly source: string | null
  readonly provenance: string | null
  /** The parts of its file that were not read. Undefined if the document was sent as text, which has no layout. */
  readonly unread?: UnreadFileParts | undefined
}

export interface UnreadFileParts {
  /** The first hundred. */
  readonly parts: readonly UnreadFilePart[]
  readonly total: number
}

/** A scan may have thousands of pages. */
const MAX_UNREAD_SHOWN = 100

export function unreadPartsOf({ unread }: FileLayout): UnreadFileParts {
  return { parts: unread.slice(0, MAX_UNREAD_SHOWN), total: unread.length }
}

export function sealCard(seal: ScopeSeal, documentId: string, card: DocumentCard): Buffer {
  const { name, source, provenance, unread } = card
  const fields = [name, source, provenance, ...(unread ? [unread] : [])]
  return seal.seal('card', documentId, Buffer.from(JSON.stringify(fields)))
}

export function openCard(seal: ScopeSeal, documentId: string, sealed: Buffer): DocumentCard {
  const [name, source, provenance, unread]: [string, string | null, string | null, UnreadFileParts?] =
    JSON.parse(seal.open('card', documentId, sealed).toString('utf8'))
  return { name, source, provenance, unread }
}

export function sealLayout(seal: ScopeSeal, documentId: string, layout: FileLayout): Buffer {
  return seal.seal('layout', documentId, Buffer.from(JSON.stringify(layout)))
}

export function openLayout(seal: ScopeSeal, documentId: string, sealed: Buffer): FileLayout {
  const layout: FileLayout = JSON.parse(seal.open('layout', documentId, sealed).toString('utf8'))
  return layout
}

/** Returns the parts that decide whether two documents have the same content, however they were sent. */
export function contentParts(
  what: Omit<DocumentCard, 'unread'> & { readonly type: string; readonly text: string | null },
): readonly (string | null)[] {
  return [what.name, what.type, what.source, what.text, what.provenance]
}
