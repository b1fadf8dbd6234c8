/** The switches of the runtime, for a spec to move. */
import type { operations } from '@concord/contract'
import type { SubjectCall } from '../subject.ts'
import { theTarget } from '../target.ts'
import { make } from './making.ts'
import type { Made } from './making.ts'
import { asAdmin, asAdminOf, bearer } from './tenants.ts'
import type { Tenant } from './tenants.ts'

export type Runtime = Made<'startRuntime'>
export type SwitchState = Runtime['state']
export type Op = 'start' | 'pause' | 'resume' | 'stop' | 'restart'
export type RuntimeTier = 'admin' | 'internals'

/** A switch, and how whoever moves it is known. */
export interface SwitchTarget {
  readonly level: Runtime['level']
  readonly tenantId: string | null
  readonly scopeId: string | null
  readonly tier: RuntimeTier
  readonly call: SubjectCall
}

const named = {
  admin: {
    start: 'startRuntime',
    pause: 'pauseRuntime',
    resume: 'resumeRuntime',
    stop: 'stopRuntime',
    restart: 'restartRuntime',
  },
  internals: {
    start: 'startTenantRuntime',
    pause: 'pauseTenantRuntime',
    resume: 'resumeTenantRuntime',
    stop: 'stopTenantRuntime',
    restart: 'restartTenantRuntime',
  },
} as const satisfies Record<RuntimeTier, Record<Op, keyof typeof operations>>

/** The credentials of the routes on which an operator acts on a tenant. */
function asOperatorOf({ key }: Pick<Tenant, 'key'>) {
  return { ...bearer(theTarget().internalsKey), 'x-tenant-api-key': key }
}

export function serviceSwitch(): SwitchTarget {
  return { level: 'service', tenantId: null, scopeId: null, tier: 'admin', call: { headers: asAdmin() } }
}

export function tenantSwitch(tenant: Tenant): SwitchTarget {
  const call = { headers: asOperatorOf(tenant) }
  return { level: 'tenant', tenantId: tenant.tenantId, scopeId: null, tier: 'internals', call }
}

export function scopeSwitch(tenant: Tenant, scopeId: string, tier: RuntimeTier = 'admin'): SwitchTarget {
  const headers = tier === 'admin' ? asAdminOf(tenant) : asOperatorOf(tenant)
  const call = { headers, body: { scope_id: scopeId } }
  return { level: 'scope', tenantId: tenant.tenantId, scopeId, tier, call }
}

export async function move({ tier, call }: SwitchTarget, op: Op): Promise<Runtime> {
  return make(named[tier][op], call)
}

/** Through running, from where every state is one move away. */
export async function bringTo(which: SwitchTarget, state: SwitchState): Promise<Runtime> {
  const running = await move(which, 'start')
  if (state === 'running') return running
  return move(which, state === 'paused' ? 'pause' : 'stop')
}
