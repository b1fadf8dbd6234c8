/** What a sequence is made of, and how each step is played against the service and the model at once. */
import * as fc from 'fast-check'
import type { Caller } from './caller.ts'
import { letRun, moveSwitch, newSwitch, OPS, strictest } from './model.ts'
import type { Model, ModelScope, Op, State, Switch } from './model.ts'

export type Level = 'service' | 'tenant' | 'scope'

interface Where {
  readonly api: number
  readonly tenant: number
  readonly scope: number
}

export type Command = Where &
  (
    | { readonly kind: 'move'; readonly op: Op; readonly level: Level; readonly internals: boolean }
    | { readonly kind: 'ingest' | 'attach' | 'trigger' | 'reset' | 'remake' }
    | { readonly kind: 'remove'; readonly which: number }
  )

export interface Stage {
  readonly model: Model
  readonly caller: Caller
  readonly tenantIds: readonly string[]
  /** Every move that was made, as `level state op`. */
  readonly moves: Set<string>
  /** Numbers for documents, each used once. */
  next(): number
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

const REACH: Readonly<Record<State, readonly Op[]>> = {
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

/** What differs between the service and the model, in words; nothing when they agree. */
export async function play(stage: Stage, command: Command): Promise<string[]> {
  const differences = await step(stage, command)
  letRun(stage.model)
  return differences
}

function step(stage: Stage, command: Command): Promise<string[]> {
  const scope = stage.model.tenants[command.tenant]?.scopes[command.scope]
  if (!scope) throw new Error('the stage has no such scope')
  switch (command.kind) {
    case 'move':
      return move(stage, command, scope)
    case 'ingest':
      return ingest(stage, command, scope)
    case 'attach':
      return attach(stage, command, scope)
    case 'trigger':
      return trigger(stage, command, scope)
    case 'reset':
      return reset(stage, command, scope)
    case 'remake':
      return remake(stage, command, scope)
    case 'remove':
      return remove(stage, command, scope)
  }
}

async function move(
  { model, caller, tenantIds, moves }: Stage,
  command: Command & { kind: 'move' },
  scope: ModelScope,
): Promise<string[]> {
  const { level, op, tenant, api } = command
  const above: readonly Switch[] = [model.service, model.tenants[tenant]?.own ?? model.service]
  const which = { service: model.service, tenant: above[1] ?? model.service, scope: scope.own }[level]
  // The whole service is an administrator's to move, a tenant an operator's; a scope is either's.
  const internals = level === 'tenant' || (level === 'scope' && command.internals)
  const answer = await caller.move({
    api,
    op,
    internals,
    ...(level !== 'service' && { tenant }),
    ...(level === 'scope' && { scopeId: scope.scopeId }),
  })
  moves.add(`${level} ${which.state} ${op}`)
  const expected = moveSwitch(which, op)
  if (!expected) return answer.status === 409 ? [] : [`${op} of ${level} answered ${answer.status}, not 409`]
  const levels = { service: [model.service], tenant: above, scope: [...above, scope.own] }[level]
  return differencesOf(`${op} of ${level}`, answer, {
    level,
    tenant_id: level === 'service' ? null : tenantIds[tenant],
    scope_id: level === 'scope' ? scope.scopeId : null,
    ...expected,
    effective_state: strictest(...levels),
    ...((op === 'stop' || expected.state === 'stopped') && { in_flight: 0 }),
  })
}

async function ingest(
  { caller, next }: Stage,
  { api, tenant }: Command,
  scope: ModelScope,
): Promise<string[]> {
  const documentId = `d${next()}`
  const answer = await caller.ingest({ api, tenant, scopeId: scope.scopeId, documentId })
  if (answer.status !== 202) return [`ingest answered ${answer.status}`]
  scope.documents.set(documentId, { status: 'queued', mayHaveRun: false })
  return advance(scope, 'ingest', Number(answer.body['seq']))
}

async function attach(
  { caller, next }: Stage,
  { api, tenant }: Command,
  scope: ModelScope,
): Promise<string[]> {
  const documentId = `d${next()}`
  const answer = await caller.attach({ api, tenant, scopeId: scope.scopeId, documentId })
  if (answer.status !== 201) return [`attach answered ${answer.status}`]
  scope.documents.set(documentId, { status: 'attached', mayHaveRun: false })
  return []
}

async function trigger({ caller }: Stage, { api, tenant }: Command, scope: ModelScope): Promise<string[]> {
  const answer = await caller.trigger({ api, tenant, scopeId: scope.scopeId })
  const attached = [...scope.documents.values()].filter(({ status }) => status === 'attached')
  for (const document of attached) document.status = 'queued'
  return differencesOf('trigger', answer, { queued: attached.length, already_queued: 0 })
}

async function reset({ caller }: Stage, { api, tenant }: Command, scope: ModelScope): Promise<string[]> {
  const answer = await caller.reset({ api, tenant, scopeId: scope.scopeId })
  const documents = scope.documents.size
  scope.documents.clear()
  scope.epoch += 1
  const removed = answer.body['removed']
  const found =
    typeof removed === 'object' && removed !== null && 'documents' in removed ? removed.documents : '?'
  return [
    ...differencesOf('reset', answer, { epoch: scope.epoch }),
    ...(found === documents ? [] : [`reset removed ${String(found)} documents, not ${documents}`]),
    ...advance(scope, 'reset', Number(answer.body['seq'])),
  ]
}

/** Deleted and made again under the same name: a new generation, and nothing of the old one. */
async function remake({ caller }: Stage, { api, tenant }: Command, scope: ModelScope): Promise<string[]> {
  const gone = await caller.deleteScope({ api, tenant, scopeId: scope.scopeId })
  const made = await caller.createScope({ api: 1 - api, tenant, scopeId: scope.scopeId })
  scope.documents.clear()
  scope.epoch += 1
  scope.lastSeq = 0
  Object.assign(scope.own, newSwitch())
  return [
    ...(gone.status === 200 ? [] : [`deleting a scope answered ${gone.status}`]),
    ...(made.status === 201 ? [] : [`making it again answered ${made.status}`]),
    ...(made.body['epoch'] === scope.epoch
      ? []
      : [`epoch ${String(made.body['epoch'])}, not ${scope.epoch}`]),
  ]
}

async function remove(
  { caller }: Stage,
  { api, tenant, which }: Command & { kind: 'remove' },
  scope: ModelScope,
): Promise<string[]> {
  const entries = [...scope.documents]
  const [documentId, document] = entries[which % Math.max(1, entries.length)] ?? ['nothing', undefined]
  const answer = await caller.remove({ api, tenant, scopeId: scope.scopeId, documentId })
  const isThere = document !== undefined && document.status !== 'removed'
  if (isThere) document.status = 'removed'
  const expected = isThere ? 200 : 404
  return answer.status === expected
    ? []
    : [`removing ${documentId} answered ${answer.status}, not ${expected}`]
}

/** Positions in a log only grow. */
function advance(scope: ModelScope, what: string, seq: number): string[] {
  if (!(seq > scope.lastSeq)) return [`${what} at ${seq}, not behind ${scope.lastSeq}`]
  scope.lastSeq = seq
  return []
}

function differencesOf(
  what: string,
  answer: { readonly status: number; readonly body: Readonly<Record<string, unknown>> },
  expected: Readonly<Record<string, unknown>>,
): string[] {
  if (answer.status !== 200) return [`${what} answered ${answer.status}, not 200`]
  return Object.entries(expected)
    .filter(([name, value]) => answer.body[name] !== value)
    .map(([name, value]) => `${what}: ${name} is ${String(answer.body[name])}, not ${String(value)}`)
}
