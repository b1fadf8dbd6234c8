/** The runtime switch, which starts and stops work at three levels. The strictest level wins. Pure rules. */

export type RuntimeState = 'running' | 'paused' | 'stopped'

export type RuntimeOp = 'start' | 'pause' | 'resume' | 'stop' | 'restart'

export type RuntimeTarget =
  | { readonly level: 'service' }
  | { readonly level: 'tenant'; readonly tenantId: string }
  | { readonly level: 'scope'; readonly tenantId: string; readonly scopeId: string }

export interface RuntimeMove {
  readonly state: RuntimeState
  /** False if the switch was in that state already. */
  readonly changed: boolean
  /** Work in flight is taken back, and its late results have no effect. */
  readonly takesBack: boolean
  /** The reading processes of the workers concerned restart, and the generation is raised. */
  readonly restarts: boolean
}

const ENDS_IN: Readonly<Record<RuntimeOp, RuntimeState>> = {
  start: 'running',
  pause: 'paused',
  resume: 'running',
  stop: 'stopped',
  restart: 'running',
}

/** Returns undefined if the move is not allowed: a stopped level can only be started, not paused or resumed. */
export function decideMove(state: RuntimeState, op: RuntimeOp): RuntimeMove | undefined {
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

/** Parses a target that another process sent. Returns undefined if it is invalid. */
export function parseTarget(json: string): RuntimeTarget | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field is checked before it is used
    const parsed = JSON.parse(json) as Partial<Record<'level' | 'tenantId' | 'scopeId', unknown>>
    const { level, tenantId, scopeId } = parsed
    if (level === 'service') return { level }
    if (typeof tenantId !== 'string') return undefined
    if (level === 'tenant') return { level, tenantId }
    return level === 'scope' && typeof scopeId === 'string' ? { level, tenantId, scopeId } : undefined
  } catch {
    return undefined
  }
}
