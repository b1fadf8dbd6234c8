/** Checks that a scope exists and may be read and written. */
import { Fault } from '../../domain/fault.ts'
import { selectScopeHead } from '../../store/scopes/scope-log.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import type { TenantTransaction } from '../../store/transaction.ts'

/**
 * Required before rows of a scope are read. While a scope is being erased, rows of older generations still exist, and a cached seal
 * could decrypt them, so nothing is read.
 */
export async function requireScope(transaction: TenantTransaction, scopeId: string): Promise<ScopeHead> {
  const head = await selectScopeHead(transaction, scopeId)
  if (!head) throw new Fault('scope_not_found')
  requireNotErasing(head)
  return head
}

export function requireNotErasing({ erasing }: Pick<ScopeHead, 'erasing'>): void {
  if (erasing) throw new Fault('unavailable', { internal: 'the scope is being reset or deleted' })
}
