/** Encrypts and decrypts the card of a document: its name, source and provenance. */
import type { FileLayout } from '../../domain/file-layout.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface DocumentCard {
  readonly name: string
  readonly source: string | null
  readonly provenance: string | null
  /** Maps the text to locations in the file that it was extracted from. Undefined if the document was sent as text. */
  readonly layout?: FileLayout | undefined
}

export function sealCard(seal: ScopeSeal, documentId: string, card: DocumentCard): Buffer {
  const { name, source, provenance, layout } = card
  const fields = [name, source, provenance, ...(layout ? [layout] : [])]
  return seal.seal('card', documentId, Buffer.from(JSON.stringify(fields)))
}

export function openCard(seal: ScopeSeal, documentId: string, sealed: Buffer): DocumentCard {
  const [name, source, provenance, layout]: [string, string | null, string | null, FileLayout?] = JSON.parse(
    seal.open('card', documentId, sealed).toString('utf8'),
  )
  return { name, source, provenance, layout }
}

/** Returns the parts that decide whether two documents have the same content, however they were sent. */
export function contentParts(
  what: Omit<DocumentCard, 'layout'> & { readonly type: string; readonly text: string | null },
): readonly (string | null)[] {
  return [what.name, what.type, what.source, what.text, what.provenance]
}
