/** The switch that lets work run, at three levels of which the strictest wins. Pure rules. */

export type RuntimeState = 'running' | 'paused' | 'stopped'

export type RuntimeOp = 'start' | 'pause' | 'resume' | 'stop' | 'restart'

export type RuntimeTarget =
  | { readonly level: 'service' }
  | { readonly level: 'tenant'; readonly tenantId: string }
  | { readonly level: 'scope'; readonly tenantId: string; readonly scopeId: string }

export interface Move {
  readonly state: RuntimeState
  /** False when the switch stood there already. */
  readonly changed: boolean
  /** Work under way is taken back, and its late results have no effect. */
  readonly takesBack: boolean
  /** The workers concerned are recycled, and the generation is raised. */
  readonly restarts: boolean
}

const ENDS_IN: Readonly<Record<RuntimeOp, RuntimeState>> = {
  start: 'running',
  pause: 'paused',
  resume: 'running',
  stop: 'stopped',
  restart: 'running',
}

/** Undefined when the move is not allowed: what is stopped can be neither paused nor resumed, only started. */
export function decideMove(state: RuntimeState, op: RuntimeOp): Move | undefined {
  // @point runtime.stopped
  if (state === 'stopped' && (op === 'pause' || op === 'resume')) return undefined
  const restarts = op === 'restart'
  const changed = restarts || ENDS_IN[op] !== state
  return { state: ENDS_IN[op], changed, restarts, takesBack: restarts || (op === 'stop' && changed) }
}

const STRICTNESS: readonly RuntimeState[] = ['running', 'paused', 'stopped']

export function strictest(...states: readonly RuntimeState[]): RuntimeState {
  return STRICTNESS[Math.max(0, ...states.map((state) => STRICTNESS.indexOf(state)))] ?? 'running'
}

/** Parses the state that another process sent; undefined when it makes no sense. */
export function parseTarget(json: string): RuntimeTarget | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field is looked at before it is used
    const said = JSON.parse(json) as Partial<Record<'level' | 'tenantId' | 'scopeId', unknown>>
    const { level, tenantId, scopeId } = said
    if (level === 'service') return { level }
    if (typeof tenantId !== 'string') return undefined
    if (level === 'tenant') return { level, tenantId }
    return level === 'scope' && typeof scopeId === 'string' ? { level, tenantId, scopeId } : undefined
  } catch {
    return undefined
  }
}
