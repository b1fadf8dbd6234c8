/** Which actions were made and answered with success, and which the log tells of: each exactly once. */
import type { Caller, Reply } from '../../harness/control/caller.ts'
import type { Entry } from './log.ts'

/** An action in one line: what it was, of whom, and what only that one can have been. */
export type Action = string

type Part = string | number | boolean | null | undefined

const line = (...parts: readonly unknown[]): Action =>
  parts.map((part) => String((part as Part) ?? '-')).join(' ')

/** The same caller; what it did stands in `made`. */
export function watchCaller(caller: Caller, made: Action[]): Caller {
  const idOf = (tenant: number | undefined) =>
    tenant === undefined ? undefined : caller.tenants[tenant]?.tenantId
  const noting = async (answer: Promise<Reply>, toLine: (body: Reply['body']) => Action): Promise<Reply> => {
    const reply = await answer
    if (reply.status >= 200 && reply.status < 300) made.push(toLine(reply.body))
    return reply
  }
  return {
    ...caller,
    move: (what) =>
      noting(caller.move(what), (body) =>
        line(
          'runtime.changed',
          idOf(what.tenant),
          what.scopeId,
          what.op,
          body['state'],
          body['generation'],
          body['changed'],
        ),
      ),
    reset: (what) =>
      noting(caller.reset(what), (body) =>
        line('scope.reset', idOf(what.tenant), what.scopeId, body['epoch'], body['seq']),
      ),
    createScope: (what) =>
      noting(caller.createScope(what), (body) =>
        line('scope.created', idOf(what.tenant), what.scopeId, body['epoch']),
      ),
    deleteScope: (what) =>
      noting(caller.deleteScope(what), () => line('scope.deleted', idOf(what.tenant), what.scopeId)),
    remove: (what) =>
      noting(caller.remove(what), (body) =>
        line('document.removed', idOf(what.tenant), what.scopeId, body['seq']),
      ),
  }
}

export const tenantMade = (tenantId: string, key: string): Action[] => [
  line('tenant.created', tenantId),
  keyIssued(tenantId, idOfKey(key)),
]
export const keyIssued = (tenantId: string | null, keyId: string): Action =>
  line('key.issued', tenantId, keyId)
export const keyRotated = (tenantId: string | null, keyId: string, by: string): Action =>
  line('key.rotated', tenantId, keyId, by)
export const keyRevoked = (tenantId: string | null, keyId: string): Action =>
  line('key.revoked', tenantId, keyId)

export function idOfKey(key: string): string {
  return key.split('_')[2] ?? ''
}

export function toAction(entry: Entry): Action {
  const { action, tenant_id: tenant, scope_id: scope, subject } = entry
  const details = JSON.parse(entry.details) as Readonly<Record<string, Part>>
  const { op, state, generation, changed, epoch, seq, key_id: keyId } = details
  switch (action) {
    case 'runtime.changed':
      return line(action, tenant, scope, op, state, generation, changed)
    case 'scope.reset':
      return line(action, tenant, scope, epoch, seq)
    case 'scope.created':
      return line(action, tenant, scope, epoch)
    case 'document.removed':
      return line(action, tenant, scope, seq)
    case 'key.rotated':
      return line(action, tenant, subject, keyId)
    case 'key.issued':
    case 'key.revoked':
      return line(action, tenant, subject)
    case 'tenant.created':
      return line(action, tenant)
    default:
      return line(action, tenant, scope)
  }
}

export interface Comparison {
  /** Made, and not in the log, or not as often. */
  readonly missing: readonly Action[]
  /** In the log, and not made, or not as often. */
  readonly extra: readonly Action[]
}

export function compareActions(made: readonly Action[], told: readonly Action[]): Comparison {
  return { missing: without(made, told), extra: without(told, made) }
}

function without(all: readonly Action[], some: readonly Action[]): Action[] {
  const left = new Map<Action, number>()
  for (const each of some) left.set(each, (left.get(each) ?? 0) + 1)
  return all.filter((each) => {
    const count = left.get(each) ?? 0
    left.set(each, count - 1)
    return count <= 0
  })
}
