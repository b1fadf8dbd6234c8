/** The switches of the runtime, for a spec to move. */
import type { operations } from '@concord/contract'
import type { Call } from '../subject.ts'
import { theTarget } from '../target.ts'
import { make } from './making.ts'
import type { Made } from './making.ts'
import { asAdmin, asAdminOf, bearer } from './tenants.ts'
import type { Tenant } from './tenants.ts'

export type Runtime = Made<'startRuntime'>
export type State = Runtime['state']
export type Op = 'start' | 'pause' | 'resume' | 'stop' | 'restart'
export type Tier = 'admin' | 'internals'

/** A switch, and how whoever moves it is known. */
export interface Switch {
  readonly level: Runtime['level']
  readonly tenantId: string | null
  readonly scopeId: string | null
  readonly tier: Tier
  readonly call: Call
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
} as const satisfies Record<Tier, Record<Op, keyof typeof operations>>

/** What the routes ask for on which an operator acts on a tenant. */
function asOperatorOf({ key }: Pick<Tenant, 'key'>) {
  return { ...bearer(theTarget().internalsKey), 'x-tenant-api-key': key }
}

export function serviceSwitch(): Switch {
  return { level: 'service', tenantId: null, scopeId: null, tier: 'admin', call: { headers: asAdmin() } }
}

export function tenantSwitch(tenant: Tenant): Switch {
  const call = { headers: asOperatorOf(tenant) }
  return { level: 'tenant', tenantId: tenant.tenantId, scopeId: null, tier: 'internals', call }
}

export function scopeSwitch(tenant: Tenant, scopeId: string, tier: Tier = 'admin'): Switch {
  const headers = tier === 'admin' ? asAdminOf(tenant) : asOperatorOf(tenant)
  const call = { headers, body: { scope_id: scopeId } }
  return { level: 'scope', tenantId: tenant.tenantId, scopeId, tier, call }
}

export async function move({ tier, call }: Switch, op: Op): Promise<Runtime> {
  return make(named[tier][op], call)
}

/** Through running, from where every state is one move away. */
export async function bringTo(which: Switch, state: State): Promise<Runtime> {
  const running = await move(which, 'start')
  if (state === 'running') return running
  return move(which, state === 'paused' ? 'pause' : 'stop')
}
