/** Checks on attempts: their count, their fence and their epoch. */
import { forsaken } from './step.ts'
import type { StepCheck, CheckDeps, Step } from './step.ts'

/** Each start is counted in the tables by the statement that allows it, and there are never more than allowed. */
export function attemptCheck({ maxStarts, meet }: CheckDeps): StepCheck {
  /** Starts since the document was queued the last time. */
  const starts = new Map<string, number>()
  return (step) => {
    const queued = queuedAnew(step)
    if (queued !== undefined) starts.delete(queued)
    if (step.kind === 'moveSwitch')
      for (const key of takenBack(step)) starts.set(key, (starts.get(key) ?? 1) - 1)
    if (step.kind !== 'start') return false
    const { key } = step.what.ref
    const before = starts.get(key) ?? 0
    if (step.answer.outcome === 'exhausted')
      return before === maxStarts || `given up after ${before} attempts instead of ${maxStarts}`
    if (step.answer.outcome !== 'claimed') return false
    starts.set(key, before + 1)
    if (before + 1 > maxStarts) return `attempt ${before + 1} of at most ${maxStarts} began`
    if (before + 1 === maxStarts) meet('a document has its last attempt')
    if (step.answer.attempt !== before + 1) return `start ${before + 1} was told to be ${step.answer.attempt}`
    return (
      step.after.work.get(key)?.attempt === before + 1 || 'an attempt began that the tables does not count'
    )
  }
}

function queuedAnew(step: Step): string | undefined {
  switch (step.kind) {
    case 'accept':
      return step.answer.outcome === 'accepted' ? step.what.ref.key : undefined
    case 'retry':
    case 'releaseHeld':
      return step.answer.outcome === 'queued' ? step.what.ref.key : undefined
    default:
      return undefined
  }
}

/** The attempt was under way and waits again: that attempt is not counted. */
function takenBack({ before, after }: Step): readonly string[] {
  return [...before.work].flatMap(([key, row]) =>
    row.state === 'processing' && after.work.get(key)?.state === 'queued' ? [key] : [],
  )
}

interface Holding {
  readonly ticket: number
  /** The attempt that is in flight; undefined before its start and after it was handed back. */
  readonly attempt: number | undefined
}

type Attempted = Extract<Step, { readonly kind: 'start' | 'complete' }>

/** Only the ticket of the present dispatch and its last attempt change anything, and they do. */
export function fenceCheck({ meet }: CheckDeps): StepCheck {
  const holdings = new Map<string, Holding>()
  return (step) => {
    for (const key of forsaken(step)) holdings.delete(key)
    if (step.kind === 'dispatch')
      for (const { ref, ticket } of step.answer) holdings.set(ref.key, { ticket, attempt: undefined })
    if (step.kind !== 'start' && step.kind !== 'complete') return false
    const holding = holdings.get(step.what.ref.key)
    const isCurrent = judge(step, holding)
    const outcome = step.kind === 'start' ? step.answer.outcome : step.answer
    if (isCurrent && outcome === 'stale') return `a ${nameOf(step)} with the present ticket was refused`
    if (!isCurrent && (outcome !== 'stale' || step.after !== step.before))
      return `a ${nameOf(step)} that is out of date had an effect`
    if (!isCurrent) meet(reasonOf(step, holding))
    else follow(step, holdings)
    return !isCurrent
  }

  function judge(step: Attempted, holding: Holding | undefined): boolean {
    if (holding?.ticket !== step.what.ticket) return false
    if (step.kind === 'start') {
      if (holding.attempt !== undefined) meet('a second start takes over from the first')
      return true
    }
    return holding.attempt === step.what.attempt
  }

  function follow(step: Attempted, into: Map<string, Holding>): void {
    const { key } = step.what.ref
    const { ticket } = step.what
    if (step.kind === 'start' && step.answer.outcome === 'claimed')
      into.set(key, { ticket, attempt: step.answer.attempt })
    else if (step.kind === 'complete' && step.what.verdict === 'retry')
      into.set(key, { ticket, attempt: undefined })
    else into.delete(key)
    if (step.kind === 'start' && step.answer.outcome === 'exhausted')
      meet('the last attempt ended without a word')
  }
}

function reasonOf(step: Attempted, holding: Holding | undefined): string {
  const call = nameOf(step)
  if (!holding) return `a ${call} comes after the end, a recall or a newer version`
  return holding.ticket === step.what.ticket
    ? 'a completion comes from an attempt that was taken over'
    : `a ${call} brings the ticket of an earlier dispatch`
}

function nameOf({ kind }: Attempted): string {
  return kind === 'start' ? 'start' : 'completion'
}

/** After a reset nothing of the epoch before is written any more: no entry, no row, by whomever it was begun. */
export function epochCheck({ meet }: CheckDeps): StepCheck {
  const epochs = new Map<string, number>()
  /** The epoch in which each ticket was given. */
  const tickets = new Map<number, number>()
  const now = (scopeKey: string) => epochs.get(scopeKey) ?? 0
  return (step) => {
    if (step.kind === 'reset') {
      const { scopeKey } = step.what
      for (const row of step.before.work.values())
        if (row.ref.scopeKey === scopeKey && row.state === 'processing')
          meet('a scope is reset while it is read')
      epochs.set(scopeKey, now(scopeKey) + 1)
    }
    if (step.kind === 'dispatch')
      for (const { ref, ticket } of step.answer) tickets.set(ticket, now(ref.scopeKey))
    for (const { scopeKey, epoch, kind } of step.entries)
      if (epoch !== now(scopeKey))
        return `${kind} of epoch ${epoch} in ${scopeKey}, which is at ${now(scopeKey)}`
    if (step.kind !== 'start' && step.kind !== 'complete') return false
    const given = tickets.get(step.what.ticket) ?? 0
    if (given === now(step.what.ref.scopeKey)) return false
    meet(`a ${nameOf(step)} comes from before a reset`)
    return step.after === step.before || `a ${nameOf(step)} of epoch ${given} changed the tables`
  }
}
