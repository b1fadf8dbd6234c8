/** One statement that asks about scopes of several tenants; the database function sets each tenant in turn. */

export interface ScopePlace {
  readonly tenantId: string
  readonly scopeId: string
}

/** Each with its place among the questions, by which its answers come back. */
export function groupByTenant<Each extends ScopePlace>(
  scopes: readonly Each[],
  pack: (scope: Each) => Readonly<Record<string, unknown>>,
): string {
  const byTenant = Map.groupBy(scopes.entries(), ([, { tenantId }]) => tenantId)
  return JSON.stringify(
    [...byTenant].map(([tenant, entries]) => ({
      tenant,
      scopes: entries.map(([place, scope]) => ({ at: place, scope: scope.scopeId, ...pack(scope) })),
    })),
  )
}

/** Selects the rows of an answer by the question that they belong to. */
export function at<Each>(list: readonly Each[], index: number): Each {
  const found = list[index]
  if (found === undefined) throw new Error('the statement answered what was not asked')
  return found
}

/** An array in the form of Postgres; JSON would round numbers of this size. */
export function toBigintArray(numbers: readonly bigint[]): string {
  return `{${numbers.join(',')}}`
}
