/** Finds documents by the name that people gave them. Names are sealed, so they are opened page by page. */
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
/** Opening the names of more documents would take longer than a request should. */
const MAX_DOCUMENTS = 10_000

/** By name, the id of the one document that has it; a name that several documents have names none. */
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
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
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
