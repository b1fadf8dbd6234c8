/** What people call a document and where it is from: sealed like its text, and opened to be shown. */
import type { ScopeSeal } from './scope-seals.ts'

export interface DocumentCard {
  readonly name: string
  readonly source: string | null
  readonly provenance: string | null
}

export function sealCard(seal: ScopeSeal, documentId: string, card: DocumentCard): Buffer {
  return seal.seal('card', documentId, Buffer.from(JSON.stringify([card.name, card.source, card.provenance])))
}

export function openCard(seal: ScopeSeal, documentId: string, sealed: Buffer): DocumentCard {
  const [name, source, provenance]: [string, string | null, string | null] = JSON.parse(
    seal.open('card', documentId, sealed).toString('utf8'),
  )
  return { name, source, provenance }
}

/** What makes one content equal to another, however it was sent: all that a document is known by. */
export function contentParts(
  what: DocumentCard & { readonly type: string; readonly text: string | null },
): readonly (string | null)[] {
  return [what.name, what.type, what.source, what.text, what.provenance]
}
