/** Only the ticket of the present release, and of its claims the last one, changes anything; and that one does. */
import { forsaken } from './step.ts'
import type { Check, CheckDeps, Step } from './step.ts'

interface Holding {
  readonly ticket: number
  /** Of the claim that is under way; undefined before it and after it was handed back. */
  readonly attempt: number | undefined
}

type Attempted = Extract<Step, { readonly kind: 'claim' | 'settle' }>

export function fenceCheck({ meet }: CheckDeps): Check {
  const holdings = new Map<string, Holding>()
  return (step) => {
    for (const key of forsaken(step)) holdings.delete(key)
    if (step.kind === 'release')
      for (const { place, ticket } of step.answer) holdings.set(place.key, { ticket, attempt: undefined })
    if (step.kind !== 'claim' && step.kind !== 'settle') return false
    const holding = holdings.get(step.what.place.key)
    const isCurrent = judge(step, holding)
    const outcome = step.kind === 'claim' ? step.answer.outcome : step.answer
    if (isCurrent && outcome === 'stale') return `a ${step.kind} with the present ticket was refused`
    if (!isCurrent && (outcome !== 'stale' || step.after !== step.before))
      return `a ${step.kind} that belongs to nobody any more had an effect`
    if (!isCurrent) meet(reasonOf(step, holding))
    else follow(step, holdings)
    return !isCurrent
  }

  function judge(step: Attempted, holding: Holding | undefined): boolean {
    if (holding?.ticket !== step.what.ticket) return false
    if (step.kind === 'claim') {
      if (holding.attempt !== undefined) meet('a second claim takes over from the first')
      return true
    }
    return holding.attempt === step.what.attempt
  }

  function follow(step: Attempted, into: Map<string, Holding>): void {
    const { key } = step.what.place
    const { ticket } = step.what
    if (step.kind === 'claim' && step.answer.outcome === 'claimed')
      into.set(key, { ticket, attempt: step.answer.attempt })
    else if (step.kind === 'settle' && step.what.verdict === 'retry')
      into.set(key, { ticket, attempt: undefined })
    else into.delete(key)
    if (step.kind === 'claim' && step.answer.outcome === 'exhausted')
      meet('the last attempt ended without a word')
  }
}

function reasonOf(step: Attempted, holding: Holding | undefined): string {
  if (!holding) return `a ${step.kind} comes after the end, a recall or a newer version`
  return holding.ticket === step.what.ticket
    ? 'a settle comes from an attempt that was taken over'
    : `a ${step.kind} brings the ticket of an earlier release`
}
