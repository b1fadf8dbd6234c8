/** Whether a scope is there and may be read and written. */
import { Fault } from '../../domain/fault.ts'
import { selectScopeHead } from '../../store/scopes/scope-log.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import type { TenantTransaction } from '../../store/transaction.ts'

/**
 * For whoever reads rows of a scope. While a scope is erased, rows of its older generations are still there, and a seal that a process
 * remembers could open them: so nothing is read from it.
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
