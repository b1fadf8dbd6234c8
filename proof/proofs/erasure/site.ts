/** A scope full of documents of which every word of content can be recognised wherever it turns up. */
import { randomBytes } from 'node:crypto'

export interface SiteDocument {
  readonly id: string
  readonly name: string
  readonly source: string
  readonly text: string
  /** Only the route that attaches takes one. */
  readonly provenance: string | null
  /** Only the routes that ingest take one. It is kept as a keyed hash, so it counts as content here. */
  readonly idempotencyKey: string | null
}

export interface Site {
  readonly scopeId: string
  /** Stands in every word of content, and nowhere else. */
  readonly contentMark: string
  /** Stands in the id of every document, and nowhere else. Ids are no content: they are stored as they came. */
  readonly idMark: string
  readonly documents: readonly SiteDocument[]
}

/** Half of the documents are attached and triggered, the other half ingested. */
export function planSite(name: string, count: number): Site {
  const contentMark = `canary${randomHex()}`
  const idMark = `${name}${randomHex()}`
  const word = (field: string, number: number) => `${field}-${contentMark}-${number}`
  const documents = Array.from({ length: count }, (_, number) => ({
    id: `${idMark}-${number}`,
    name: word('name', number),
    source: `https://example.org/${word('source', number)}`,
    // Short, so that nothing is stored compressed, where a search would not find it.
    // Each states another figure of the same thing, so that there are claims and contradictions to erase.
    text: `In 2025 the revenue of Borealis was EUR ${10 + number} million (${word('text', number)}).`,
    provenance: number % 2 === 0 ? `sha256:${word('provenance', number)}` : null,
    idempotencyKey: number % 2 === 0 ? null : word('key', number),
  }))
  return { scopeId: `${name}-${randomHex()}`, contentMark, idMark, documents }
}

function randomHex(): string {
  return randomBytes(8).toString('hex')
}
