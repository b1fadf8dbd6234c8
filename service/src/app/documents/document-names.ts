/** Finds documents by name. Names are encrypted, so they are decrypted page by page. */
import type { TenantCaller } from '../../domain/caller.ts'
import type { Pools } from '../../store/pools.ts'
import { selectCardsAfter } from '../../store/documents/documents.ts'
import { inTenant } from '../../store/transaction.ts'
import { openCard } from './document-card.ts'
import type { ScopeSeals } from '../scopes/scope-seals.ts'

export interface DocumentNamesDeps {
  readonly pools: Pools
  readonly seals: ScopeSeals
}

const PAGE = 500
/** The maximum number of documents whose names are decrypted in a request, because of its deadline. */
const MAX_DOCUMENTS = 10_000

/** Returns the document id for each name. Names of several documents are ambiguous and left out. */
export async function findByName(
  { pools, seals }: DocumentNamesDeps,
  { tenantId }: TenantCaller,
  scopeId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(names)
  const found = new Map<string, string[]>()
  const seal = await seals.get(tenantId, scopeId)
  let after = ''
  for (let seen = 0; seen < MAX_DOCUMENTS; seen += PAGE) {
    // oxlint-disable-next-line no-await-in-loop -- each page starts where the previous one ended
    const cards = await inTenant(pools.tenant, tenantId, (transaction) =>
      selectCardsAfter(transaction, scopeId, after, PAGE),
    )
    for (const { documentId, epoch, sealedCard } of cards) {
      if (epoch !== seal.epoch) continue
      const { name } = openCard(seal, documentId, sealedCard)
      if (wanted.has(name)) found.set(name, [...(found.get(name) ?? []), documentId])
    }
    if (cards.length < PAGE) break
    after = cards.at(-1)?.documentId ?? ''
  }
  return new Map(
    [...found].flatMap(([name, [id, ...others]]) => (id && others.length === 0 ? [[name, id]] : [])),
  )
}
