/** The actions that were answered with success, and those that the log tells of: each exactly once. */
import type { ControlCall, ControlCaller, ControlReply } from '../../harness/control/caller.ts'
import type { AuditLogEntry } from './log.ts'

/** An action in one line: its name, its tenant, and what only that one can have been. */
export type Action = string

const line = (...parts: readonly unknown[]): Action =>
  parts.map((part) => (part === null || part === undefined ? '-' : String(part as string | number))).join(' ')

/** By its call where it is one; the details tell two of the same scope apart. */
const ON_SCOPES: Readonly<
  Record<string, { readonly call: ControlCall['kind']; readonly details: readonly string[] }>
> = {
  'runtime.changed': { call: 'move', details: ['op', 'state', 'generation', 'changed'] },
  'scope.reset': { call: 'reset', details: ['epoch', 'seq'] },
  'scope.created': { call: 'createScope', details: ['epoch'] },
  'scope.deleted': { call: 'deleteScope', details: [] },
  'document.removed': { call: 'remove', details: ['seq'] },
}

/** The same caller; the actions that it made are added to `made`. */
export function watchCaller(caller: ControlCaller, made: Action[]): ControlCaller {
  return {
    ...caller,
    async call(call) {
      const reply = await caller.call(call)
      const tenantId = caller.tenants[call.tenant ?? -1]?.tenantId
      if (reply.status < 300) made.push(...actionsOf(call, tenantId, reply))
      return reply
    },
  }
}

function actionsOf(call: ControlCall, tenantId: string | undefined, { body }: ControlReply): Action[] {
  return Object.entries(ON_SCOPES)
    .filter(([, each]) => each.call === call.kind)
    .map(([action, { details }]) => {
      const told: Readonly<Record<string, unknown>> = { ...body, ...call }
      return line(action, tenantId, call.scopeId, ...details.map((name) => told[name]))
    })
}

export const tenantCreated = (tenantId: string): Action => line('tenant.created', tenantId)
export const keyIssued = (tenantId: string | null, keyId: string) => line('key.issued', tenantId, keyId)
export const keyRotated = (tenantId: string | null, keyId: string, by: string) =>
  line('key.rotated', tenantId, keyId, by)
export const keyRevoked = (tenantId: string | null, keyId: string) => line('key.revoked', tenantId, keyId)

export function idOfKey(key: string): string {
  return key.split('_')[2] ?? ''
}

export function toAction({
  action,
  tenant_id: tenant,
  scope_id: scope,
  subject,
  details,
}: AuditLogEntry): Action {
  const told = JSON.parse(details) as Readonly<Record<string, unknown>>
  if (action === 'tenant.created') return tenantCreated(tenant ?? '')
  if (action === 'key.rotated') return line(action, tenant, subject, told['key_id'])
  if (action.startsWith('key.')) return line(action, tenant, subject)
  return line(action, tenant, scope, ...(ON_SCOPES[action]?.details ?? []).map((name) => told[name]))
}
