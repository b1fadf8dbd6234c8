/**
 * The promises of the service about its switches, written down once more and from the specification alone: three levels, the
 * table of moves, and what becomes of documents. Pure; nothing of the product is used here.
 */
export type State = 'running' | 'paused' | 'stopped'
export type ControlOperation = 'start' | 'pause' | 'resume' | 'stop' | 'restart'

export const OPS: readonly ControlOperation[] = ['start', 'pause', 'resume', 'stop', 'restart']

const TABLE: Readonly<Record<State, Readonly<Record<ControlOperation, State | 'refused'>>>> = {
  stopped: { start: 'running', pause: 'refused', resume: 'refused', stop: 'stopped', restart: 'running' },
  running: { start: 'running', pause: 'paused', resume: 'running', stop: 'stopped', restart: 'running' },
  paused: { start: 'running', pause: 'paused', resume: 'running', stop: 'stopped', restart: 'running' },
}

export interface ControlSwitch {
  state: State
  generation: number
}

interface ModelDocument {
  status: 'attached' | 'queued' | 'removed'
  /** At some moment since it was queued every switch above it let work run. */
  mayHaveRun: boolean
}

export interface ModelScope {
  readonly scopeId: string
  readonly own: ControlSwitch
  epoch: number
  lastSeq: number
  readonly documents: Map<string, ModelDocument>
}

interface Model {
  readonly service: ControlSwitch
  readonly tenants: readonly { readonly own: ControlSwitch; scopes: ModelScope[] }[]
}

export const newSwitch = (): ControlSwitch => ({ state: 'running', generation: 0 })

export const newModel = (tenants: number): Model => ({
  service: newSwitch(),
  tenants: Array.from({ length: tenants }, () => ({ own: newSwitch(), scopes: [] })),
})

export const newScope = (scopeId: string): ModelScope => ({
  scopeId,
  own: newSwitch(),
  epoch: 0,
  lastSeq: 0,
  documents: new Map(),
})

/** Moves the switch; undefined, and nothing moved, when the move is refused. */
export function moveSwitch(which: ControlSwitch, op: ControlOperation) {
  const next = TABLE[which.state][op]
  if (next === 'refused') return undefined
  const changed = op === 'restart' || next !== which.state
  which.state = next
  if (op === 'restart') which.generation += 1
  return { state: next, generation: which.generation, changed }
}

const STRICTNESS: readonly State[] = ['running', 'paused', 'stopped']

export function strictest(...switches: readonly ControlSwitch[]): State {
  const strictness = Math.max(...switches.map(({ state }) => STRICTNESS.indexOf(state)))
  return STRICTNESS[strictness] ?? 'running'
}

/** To be called after every step: what may run now may have run from now on. */
export function letRun({ service, tenants }: Model): void {
  for (const tenant of tenants)
    for (const scope of tenant.scopes)
      if (strictest(service, tenant.own, scope.own) === 'running')
        for (const document of scope.documents.values())
          if (document.status === 'queued') document.mayHaveRun = true
}

/** Undefined when the document is where it may be. */
export function judgeDocument(
  id: string,
  { status, mayHaveRun }: ModelDocument,
  seen: { readonly status: string; readonly attempt: number } | undefined,
): string | undefined {
  if (!seen) return `${id} is not there`
  if (status !== 'queued')
    return seen.status === status ? undefined : `${id} is ${seen.status}, not ${status}`
  if (mayHaveRun && ['queued', 'processing', 'processed'].includes(seen.status)) return undefined
  if (!mayHaveRun && seen.status === 'queued' && seen.attempt === 0) return undefined
  return `${id} is ${seen.status} at attempt ${seen.attempt}, though it was ${mayHaveRun ? '' : 'never '}let run`
}
