/**
 * The runtime switches. An administrator moves the whole service or one scope; an operator moves one tenant or one
 * of its scopes. Ingest goes on accepting in every state.
 */
import { operation } from '../operation.ts'
import { Runtime, RuntimeBody } from '../schemas/runtime.ts'

const service = {
  method: 'POST',
  tier: 'admin',
  tenantKeyOptional: true,
  served: true,
  body: RuntimeBody,
  bodyOptional: true,
  answers: { 200: Runtime },
} as const

const serviceLevels =
  'Without body and X-Tenant-API-Key, it applies to the whole service. With both `scope_id` and X-Tenant-API-Key, ' +
  'it applies to that scope of the tenant. One without the other is refused.'

const tenant = {
  method: 'POST',
  tier: 'internals',
  tenantKey: true,
  served: true,
  body: RuntimeBody,
  bodyOptional: true,
  answers: { 200: Runtime },
} as const

const tenantLevels =
  'Without a body, it applies to all scopes of the tenant whose key is sent; with `scope_id`, to that scope.'

/** The promise of each move; the same at every level. */
const promise = {
  start: 'Starts work again, from paused and from stopped.',
  pause: 'No attempt starts after the response; work in flight finishes. Refused while stopped.',
  resume: 'Ends a pause. Refused while stopped; use start instead.',
  stop:
    'No attempt starts after the response; work in flight is put back into the queue, and its late results are ' +
    'refused.',
  restart:
    'Stops, replaces the affected reading processes and starts, from any state. Raises the generation.',
} as const

export const startRuntime = operation({
  ...service,
  name: 'startRuntime',
  path: '/admin/runtime/start',
  summary: 'Start the runtime',
  description: `${promise.start} ${serviceLevels}`,
  problems: ['scope_not_found'],
})

export const pauseRuntime = operation({
  ...service,
  name: 'pauseRuntime',
  path: '/admin/runtime/pause',
  summary: 'Pause the runtime',
  description: `${promise.pause} ${serviceLevels}`,
  problems: ['scope_not_found', 'illegal_transition'],
})

export const resumeRuntime = operation({
  ...service,
  name: 'resumeRuntime',
  path: '/admin/runtime/resume',
  summary: 'Resume the runtime',
  description: `${promise.resume} ${serviceLevels}`,
  problems: ['scope_not_found', 'illegal_transition'],
})

export const stopRuntime = operation({
  ...service,
  name: 'stopRuntime',
  path: '/admin/runtime/stop',
  summary: 'Stop the runtime',
  description: `${promise.stop} ${serviceLevels}`,
  problems: ['scope_not_found'],
})

export const restartRuntime = operation({
  ...service,
  name: 'restartRuntime',
  path: '/admin/runtime/restart',
  summary: 'Restart the runtime',
  description: `${promise.restart} ${serviceLevels}`,
  problems: ['scope_not_found'],
})

export const startTenantRuntime = operation({
  ...tenant,
  name: 'startTenantRuntime',
  path: '/internals/kernel/runtime/start',
  summary: 'Start the runtime of a tenant',
  description: `${promise.start} ${tenantLevels}`,
  problems: ['scope_not_found'],
})

export const pauseTenantRuntime = operation({
  ...tenant,
  name: 'pauseTenantRuntime',
  path: '/internals/kernel/runtime/pause',
  summary: 'Pause the runtime of a tenant',
  description: `${promise.pause} ${tenantLevels}`,
  problems: ['scope_not_found', 'illegal_transition'],
})

export const resumeTenantRuntime = operation({
  ...tenant,
  name: 'resumeTenantRuntime',
  path: '/internals/kernel/runtime/resume',
  summary: 'Resume the runtime of a tenant',
  description: `${promise.resume} ${tenantLevels}`,
  problems: ['scope_not_found', 'illegal_transition'],
})

export const stopTenantRuntime = operation({
  ...tenant,
  name: 'stopTenantRuntime',
  path: '/internals/kernel/runtime/stop',
  summary: 'Stop the runtime of a tenant',
  description: `${promise.stop} ${tenantLevels}`,
  problems: ['scope_not_found'],
})

export const restartTenantRuntime = operation({
  ...tenant,
  name: 'restartTenantRuntime',
  path: '/internals/kernel/runtime/restart',
  summary: 'Restart the runtime of a tenant',
  description: `${promise.restart} ${tenantLevels}`,
  problems: ['scope_not_found'],
})
