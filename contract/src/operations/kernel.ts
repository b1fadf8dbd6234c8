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
  'Real probes of database, broker, migrations and dispatcher, with their ages. 503 with the same body while the ' +
  'status is `degraded` or `unavailable`; `paused` and `stopped` are 200. Answers while the database is away too.'

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
  summary: 'Does work move',
  description:
    'Queue ages, last completion, worker liveness. Never `ok` while work does not move: `paused` or `stopped` where the ' +
    'switch of the whole service holds it, `unavailable` where it should move. 503 with the same body while the status ' +
    'is `degraded` or `unavailable`. Answers while the database is away too.',
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
  summary: 'Every worker there is',
  description:
    'Across all hosts, with what each role wants, has and waits for, and why it was scaled. Told by the processes ' +
    'themselves once a second; one that was not heard for five seconds is `lost`, and after a minute forgotten.',
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
  summary: 'How settled the scopes are',
  description: 'Figures only, in the order of tenant and scope; of one tenant or one scope id on request.',
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
    'Those of every scope, in the order in which their transactions began. Positions are those of this stream; ' +
    "the position in a scope's own log stands in the data.",
  query: kernelStreamQuery,
  requestHeaders: kernelStreamHeaders,
  answers: { 200: 'event-stream' },
  problems: [],
  events: servedKernelEventKinds,
  noStore: true,
  aliases: [alias('/internals/events')],
})
