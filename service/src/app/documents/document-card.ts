/** The name and origin of a document, sealed like its text, and opened to be shown. */
import type { FileLayout } from '../../domain/file-layout.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface DocumentCard {
  readonly name: string
  readonly source: string | null
  readonly provenance: string | null
  /** Where the pieces of the text stand in the file that it was read from; missing where the text itself was sent. */
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

/** The parts by which two contents are equal, however it was sent: all that a document is known by. */
export function contentParts(
  what: Omit<DocumentCard, 'layout'> & { readonly type: string; readonly text: string | null },
): readonly (string | null)[] {
  return [what.name, what.type, what.source, what.text, what.provenance]
}
