/**
 * Scopes for requests that change a scope itself, apart from those that others find their documents in.
 *
 * A move of the runtime is always made on a scope. Once something is stopped, pauses and resumptions of it are refused;
 * of the whole service that would be those of every other lane as well, so the right requests keep off it. Twisted ones
 * may still move it. Nobody waits for work in this run: neither a dispatcher nor a worker is started.
 */
import type { OpenapiOperation } from '../../harness/openapi.ts'

const uses = ['moved', 'stopped', 'emptied', 'deleted'] as const

type Use = (typeof uses)[number]

export type ExpendableScopes = ReadonlyMap<Use, string[]>

/** The ids of those that a tenant is to have; so many of them to be deleted. */
export function expendableScopeIds(deletions: number): readonly string[] {
  return uses.flatMap((use) =>
    Array.from({ length: use === 'deleted' ? deletions : 1 }, (_, at) => `${use}-${at}`),
  )
}

export function scopesByUse(ids: readonly string[]): ExpendableScopes {
  return new Map(uses.map((use) => [use, ids.filter((id) => id.startsWith(`${use}-`))]))
}

/** Whether there is one for the operation, or it needs none. */
export function hasScope(scopes: ExpendableScopes, operation: OpenapiOperation): boolean {
  const use = useOf(operation)
  return use === undefined || (scopes.get(use) ?? []).length > 0
}

/** Undefined where the operation needs none. One to delete is handed out once. */
export function takeScope(scopes: ExpendableScopes, operation: OpenapiOperation): string | undefined {
  const use = useOf(operation)
  if (use === undefined) return undefined
  const scopeId = use === 'deleted' ? scopes.get(use)?.pop() : scopes.get(use)?.[0]
  // Never one that others need instead.
  if (scopeId === undefined) throw new Error(`No scope is left to be ${use}; raise USED_SHARE in setup.ts.`)
  return scopeId
}

export function isMove({ path }: OpenapiOperation): boolean {
  return path.includes('/runtime/')
}

function useOf(operation: OpenapiOperation): Use | undefined {
  if (operation.id === 'resetScope') return 'emptied'
  if (operation.id === 'deleteScope') return 'deleted'
  if (!isMove(operation)) return undefined
  return operation.id.startsWith('stop') ? 'stopped' : 'moved'
}
