/** The operations of an operator, with the old addresses that still work. */
import { servedKernelEventKinds } from '../events.ts'
import { operation, type DeprecatedAlias } from '../operation.ts'
import { convergenceQuery, ScopeConvergence } from '../schemas/convergence.ts'
import { pageOf } from '../schemas/identity.ts'
import { ControlPlaneHealth, HatcherySnapshot, KernelHealth } from '../schemas/kernel.ts'
import { kernelStreamHeaders, kernelStreamQuery } from '../schemas/streams.ts'

/** The specification names the deprecated paths but gives no dates. These are ours: a year's notice. */
function alias(path: string): DeprecatedAlias {
  return { path, deprecatedOn: '2026-11-15', sunsetOn: '2027-11-15' }
}

const controlPlane =
  'Results of probes of database, broker, migrations and dispatcher, with their ages. The status code is 503, ' +
  'with the same body, while the status is `degraded` or `unavailable`; for `paused` and `stopped` it is 200. The ' +
  'route also answers while the database is unreachable.'

export const getAdminControlPlaneHealth = operation({
  name: 'getAdminControlPlaneHealth',
  method: 'GET',
  path: '/admin/control-plane/health',
  tier: 'admin',
  served: true,
  summary: 'Health of the control plane, for administrators',
  description: controlPlane,
  answers: { 200: ControlPlaneHealth, 503: ControlPlaneHealth },
  problems: [],
  noStore: true,
})

export const getControlPlaneHealth = operation({
  name: 'getControlPlaneHealth',
  method: 'GET',
  path: '/internals/kernel/control-plane/health',
  tier: 'internals',
  served: true,
  summary: 'Health of the control plane',
  description: controlPlane,
  answers: { 200: ControlPlaneHealth, 503: ControlPlaneHealth },
  problems: [],
  noStore: true,
  aliases: [alias('/internals/control-plane/health')],
})

export const getKernelHealth = operation({
  name: 'getKernelHealth',
  method: 'GET',
  path: '/internals/kernel/health',
  tier: 'internals',
  served: true,
  summary: 'Read the health of processing',
  description:
    'Queue ages, last completion, worker liveness. The status is never `ok` while work makes no progress: it is ' +
    '`paused` or `stopped` if the switch of the whole service pauses it, and `unavailable` otherwise. The status ' +
    'code is 503, with the same body, while the status is `degraded` or `unavailable`. The route also answers ' +
    'while the database is unreachable.',
  answers: { 200: KernelHealth, 503: KernelHealth },
  problems: [],
  noStore: true,
})

export const getHatcherySnapshot = operation({
  name: 'getHatcherySnapshot',
  method: 'GET',
  path: '/internals/kernel/hatchery/snapshot',
  tier: 'internals',
  served: true,
  summary: 'List all workers',
  description:
    'Workers of all hosts, with the desired, running and waiting counts of each role and the reasons of scaling. ' +
    'The processes report this once a second. A process without a heartbeat for five seconds is `lost`, and is ' +
    'removed from the list after a minute.',
  answers: { 200: HatcherySnapshot },
  problems: [],
  noStore: true,
  aliases: [alias('/internals/hatchery/snapshot')],
})

export const getKernelConvergence = operation({
  name: 'getKernelConvergence',
  method: 'GET',
  path: '/internals/kernel/convergence',
  tier: 'internals',
  served: true,
  summary: 'List the convergence of scopes',
  description:
    'Counts and scores only, in the order of tenant and scope. You can filter by tenant and by scope id.',
  query: convergenceQuery,
  answers: { 200: pageOf(ScopeConvergence) },
  problems: [],
  aliases: [alias('/internals/convergence')],
})

export const streamKernelEvents = operation({
  name: 'streamKernelEvents',
  method: 'GET',
  path: '/internals/kernel/events',
  tier: 'internals',
  served: true,
  summary: 'Follow all events of the service',
  description:
    'Events of every scope, in the order in which their transactions began. Positions are those of this stream; ' +
    '`data` has the position in the log of the scope.',
  query: kernelStreamQuery,
  requestHeaders: kernelStreamHeaders,
  answers: { 200: 'event-stream' },
  problems: [],
  events: servedKernelEventKinds,
  noStore: true,
  aliases: [alias('/internals/events')],
})
