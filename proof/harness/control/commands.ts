/** The commands of a sequence, and how each is played against the service and the model at once. */
import * as fc from 'fast-check'
import type { ControlCaller, ControlReply } from './caller.ts'
import { letRun, moveSwitch, newModel, newScope, newSwitch, OPS, strictest } from './model.ts'
import type { ModelScope, ControlOperation, State, ControlSwitch } from './model.ts'

type Level = 'service' | 'tenant' | 'scope'

interface Where {
  readonly api: number
  readonly tenant: number
  readonly scope: number
}

export type Command = Where &
  (
    | {
        readonly kind: 'move'
        readonly op: ControlOperation
        readonly level: Level
        readonly internals: boolean
      }
    | { readonly kind: 'ingest' | 'attach' | 'trigger' | 'reset' | 'remake' }
    | { readonly kind: 'remove'; readonly which: number }
  )

/** The service and the model, side by side. */
export type ControlStage = ReturnType<typeof createStage>

export function createStage(caller: ControlCaller) {
  return {
    caller,
    model: newModel(caller.tenants.length),
    /** Every move that was made, as `level state op`. */
    moves: new Set<string>(),
    /** Documents are numbered, and each number is used once. */
    documents: 0,
  }
}

const SCOPES = 2

/** Makes scopes of its own for each sequence; the switches above them are as the last one left them. */
export async function openScopes({ model, caller }: ControlStage, number: number): Promise<void> {
  for (const [tenant, each] of model.tenants.entries()) {
    each.scopes = Array.from({ length: SCOPES }, (_, scope) => newScope(`s${number}-${scope}`))
    for (const { scopeId } of each.scopes)
      await caller.call({ kind: 'createScope', api: number % 2, tenant, scopeId })
  }
}

export async function deleteScopes({ model, caller }: ControlStage): Promise<void> {
  for (const [tenant, { scopes }] of model.tenants.entries())
    for (const { scopeId } of scopes) await caller.call({ kind: 'deleteScope', api: tenant, tenant, scopeId })
}

const where = { api: fc.nat(1), tenant: fc.nat(1), scope: fc.nat(1) }

export const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        op: fc.constantFrom(...OPS),
        level: fc.constantFrom<Level>('service', 'tenant', 'scope'),
        internals: fc.boolean(),
        ...where,
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('ingest' as const), ...where }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('attach' as const, 'trigger' as const), ...where }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('reset' as const, 'remake' as const), ...where }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat(9), ...where }) },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
)

const REACH: Readonly<Record<State, readonly ControlOperation[]>> = {
  running: ['start'],
  paused: ['start', 'pause'],
  stopped: ['stop'],
}

/** Every move from every state at every level, once, whatever chance leaves out. */
export function tour(): Command[] {
  const levels: readonly Level[] = ['service', 'tenant', 'scope']
  return levels.flatMap((level) =>
    (['running', 'paused', 'stopped'] as const).flatMap((state) =>
      OPS.flatMap((op, turn) =>
        [...REACH[state], op].map((each) => ({
          kind: 'move' as const,
          op: each,
          level,
          internals: turn % 2 === 0,
          api: turn % 2,
          tenant: 0,
          scope: 0,
        })),
      ),
    ),
  )
}

/** Returns the differences between the service and the model in words; none when they agree. */
export async function play(stage: ControlStage, command: Command): Promise<string[]> {
  const { api, tenant } = command
  const scope = stage.model.tenants[tenant]?.scopes[command.scope]
  if (!scope) throw new Error('the stage has no such scope')
  const at = { api, tenant, scopeId: scope.scopeId }
  const differences =
    command.kind === 'move'
      ? await move(stage, command, scope)
      : await PLAYS[command.kind]({ stage, scope, at, which: 'which' in command ? command.which : 0 })
  letRun(stage.model)
  return differences
}

async function move(
  { model, caller, moves }: ControlStage,
  command: Command & { kind: 'move' },
  scope: ModelScope,
): Promise<string[]> {
  const { level, op, tenant, api } = command
  const above: readonly ControlSwitch[] = [model.service, model.tenants[tenant]?.own ?? model.service]
  const which = { service: model.service, tenant: above[1] ?? model.service, scope: scope.own }[level]
  // The whole service is an administrator's to move, a tenant an operator's; a scope is either's.
  const internals = level === 'tenant' || (level === 'scope' && command.internals)
  const ofTenant = level === 'service' ? {} : { tenant }
  const ofScope = level === 'scope' ? { scopeId: scope.scopeId } : {}
  const reply = await caller.call({ kind: 'move', api, op, internals, ...ofTenant, ...ofScope })
  moves.add(`${level} ${which.state} ${op}`)
  const expected = moveSwitch(which, op)
  const name = `${op} of ${level}`
  if (!expected) return statusOf(name, reply, 409)
  const levels = { service: [model.service], tenant: above, scope: [...above, scope.own] }[level]
  return differencesOf(name, reply, {
    level,
    tenant_id: level === 'service' ? null : caller.tenants[tenant]?.tenantId,
    scope_id: level === 'scope' ? scope.scopeId : null,
    ...expected,
    effective_state: strictest(...levels),
    ...((op === 'stop' || expected.state === 'stopped') && { in_flight: 0 }),
  })
}

interface Turn {
  readonly stage: ControlStage
  readonly scope: ModelScope
  readonly at: { readonly api: number; readonly tenant: number; readonly scopeId: string }
  readonly which: number
}

type Play = (turn: Turn) => Promise<string[]>

const PLAYS: Readonly<Record<Exclude<Command['kind'], 'move'>, Play>> = {
  async ingest({ stage, scope, at }) {
    const documentId = `d${(stage.documents += 1)}`
    const reply = await stage.caller.call({ kind: 'ingest', ...at, documentId })
    if (reply.status !== 202) return statusOf('ingest', reply, 202)
    scope.documents.set(documentId, { status: 'queued', mayHaveRun: false })
    return advance(scope, 'ingest', Number(reply.body['seq']))
  },
  async attach({ stage, scope, at }) {
    const documentId = `d${(stage.documents += 1)}`
    const reply = await stage.caller.call({ kind: 'attach', ...at, documentId })
    if (reply.status === 201) scope.documents.set(documentId, { status: 'attached', mayHaveRun: false })
    return statusOf('attach', reply, 201)
  },
  async trigger({ stage, scope, at }) {
    const reply = await stage.caller.call({ kind: 'trigger', ...at })
    const there = [...scope.documents.values()]
    const attached = there.filter(({ status }) => status === 'attached')
    const before = there.filter(({ status }) => status === 'queued').length
    for (const document of attached) document.status = 'queued'
    return differencesOf('trigger', reply, { queued: attached.length, already_queued: before })
  },
  async reset({ stage, scope, at }) {
    const reply = await stage.caller.call({ kind: 'reset', ...at })
    const documents = scope.documents.size
    scope.documents.clear()
    scope.epoch += 1
    const removed = Object(reply.body['removed']) as { readonly documents?: unknown }
    const found = String(removed.documents)
    return [
      ...differencesOf('reset', reply, { epoch: scope.epoch }),
      ...(found === String(documents) ? [] : [`reset removed ${found} documents, not ${documents}`]),
      ...advance(scope, 'reset', Number(reply.body['seq'])),
    ]
  },
  /** Deleted and made again under the same name: a new generation, and nothing of the old one. */
  async remake({ stage: { caller }, scope, at }) {
    const deleted = await caller.call({ kind: 'deleteScope', ...at })
    const made = await caller.call({ kind: 'createScope', ...at, api: 1 - at.api })
    scope.documents.clear()
    scope.epoch += 1
    scope.lastSeq = 0
    Object.assign(scope.own, newSwitch())
    return [
      ...statusOf('deleting a scope', deleted, 200),
      ...differencesOf('making it again', made, { epoch: scope.epoch }, 201),
    ]
  },
  async remove({ stage: { caller }, scope, at, which }) {
    const entries = [...scope.documents]
    const [documentId, document] = entries[which % Math.max(1, entries.length)] ?? ['nothing', undefined]
    const reply = await caller.call({ kind: 'remove', ...at, documentId })
    const isThere = document !== undefined && document.status !== 'removed'
    if (isThere) document.status = 'removed'
    return statusOf(`removing ${documentId}`, reply, isThere ? 200 : 404)
  },
}

/** Positions in a log only grow. */
function advance(scope: ModelScope, what: string, seq: number): string[] {
  if (!(seq > scope.lastSeq)) return [`${what} at ${seq}, not behind ${scope.lastSeq}`]
  scope.lastSeq = seq
  return []
}

function statusOf(what: string, { status }: ControlReply, expected: number): string[] {
  return status === expected ? [] : [`${what} answered ${status}, not ${expected}`]
}

function differencesOf(
  what: string,
  reply: ControlReply,
  expected: Readonly<Record<string, unknown>>,
  status = 200,
): string[] {
  if (reply.status !== status) return statusOf(what, reply, status)
  return Object.entries(expected)
    .filter(([name, value]) => reply.body[name] !== value)
    .map(([name, value]) => `${what}: ${name} is ${String(reply.body[name])}, not ${String(value)}`)
}
