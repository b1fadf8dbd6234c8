/** After a reset nothing of the epoch before is written any more: no entry, no row, by whomever it was begun. */
import type { Check, CheckDeps } from './step.ts'

export function epochCheck({ meet }: CheckDeps): Check {
  const epochs = new Map<string, number>()
  /** The epoch in which each ticket was given. */
  const tickets = new Map<number, number>()
  const now = (scopeKey: string) => epochs.get(scopeKey) ?? 0
  return (step) => {
    if (step.kind === 'reset') {
      const { scopeKey } = step.what
      for (const row of step.before.work.values())
        if (row.place.scopeKey === scopeKey && row.state === 'processing')
          meet('a scope is reset while it is read')
      epochs.set(scopeKey, now(scopeKey) + 1)
    }
    if (step.kind === 'release')
      for (const { place, ticket } of step.answer) tickets.set(ticket, now(place.scopeKey))
    for (const { scopeKey, epoch, kind } of step.entries)
      if (epoch !== now(scopeKey))
        return `${kind} of epoch ${epoch} in ${scopeKey}, which is at ${now(scopeKey)}`
    if (step.kind !== 'claim' && step.kind !== 'settle') return false
    const given = tickets.get(step.what.ticket) ?? 0
    if (given === now(step.what.place.scopeKey)) return false
    meet(`a ${step.kind} comes from before a reset`)
    return step.after === step.before || `a ${step.kind} of epoch ${given} changed the store`
  }
}
