/**
 * Encodes a batch of items that concern scopes of several tenants as the parameter of one statement. The database
 * function sets each tenant in turn.
 */

export interface ScopeRef {
  readonly tenantId: string
  readonly scopeId: string
}

/** Groups the items by tenant. Each item carries its index in the batch, and the rows of the answer carry it back. */
export function groupByTenant<Each extends ScopeRef>(
  items: readonly Each[],
  pack: (item: Each) => Readonly<Record<string, unknown>>,
): string {
  const byTenant = Map.groupBy(items.entries(), ([, { tenantId }]) => tenantId)
  return JSON.stringify(
    [...byTenant].map(([tenant, entries]) => ({
      tenant,
      scopes: entries.map(([index, item]) => ({ at: index, scope: item.scopeId, ...pack(item) })),
    })),
  )
}

/** Returns the item of a batch to which a row of the answer belongs. */
export function at<Each>(list: readonly Each[], index: number): Each {
  const found = list[index]
  if (found === undefined)
    throw new Error('the statement returned a row for an item that is not in the batch')
  return found
}

/** Encodes an array as a Postgres literal, because JSON would round numbers of this size. */
export function toBigintArray(numbers: readonly bigint[]): string {
  return `{${numbers.join(',')}}`
}
