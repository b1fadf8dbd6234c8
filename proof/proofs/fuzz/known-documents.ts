/** The documents of one tenant that are known to exist, by what can still be done to them. */

export interface KnownDocument {
  readonly scopeId: string
  readonly documentId: string
}

export interface KnownDocuments {
  add(document: KnownDocument): void
  /** Failed ones can be tried again, each once. */
  addFailed(document: KnownDocument): void
  any(draw: number): KnownDocument | undefined
  /** Known no more afterwards: for whoever removes it or tries it again. */
  take(draw: number): KnownDocument | undefined
  takeFailed(): KnownDocument | undefined
  /** Ids within one scope, a few. */
  idsIn(scopeId: string): readonly string[]
  readonly count: number
  readonly failedCount: number
}

const IDS = 5

export function createKnownDocuments(): KnownDocuments {
  const present: KnownDocument[] = []
  const failed: KnownDocument[] = []
  const at = (draw: number) => draw % Math.max(1, present.length)
  return {
    add: (document) => void present.push(document),
    addFailed: (document) => void failed.push(document),
    any: (draw) => present[at(draw)],
    take: (draw) => present.splice(at(draw), 1)[0],
    takeFailed: () => failed.pop(),
    idsIn: (scopeId) =>
      present
        .filter((each) => each.scopeId === scopeId)
        .slice(-IDS)
        .map(({ documentId }) => documentId),
    get count() {
      return present.length
    },
    get failedCount() {
      return failed.length
    },
  }
}
