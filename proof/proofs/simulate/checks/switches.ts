/** The state that the switches of service, tenants and scopes allow, by what was asked and answered alone. */
import type { DocumentRef, RuntimeOp, Switch } from '../rules.ts'
import type { StepCheck, CheckDeps, Step } from './step.ts'

const RUNS: ReadonlySet<RuntimeOp> = new Set(['start', 'resume', 'restart'])

/** Switches that do not let work run, and since when the service runs again. */
export function keepSwitchBook() {
  const closed = new Set<string>()
  let runningSince: number | undefined
  return {
    follow(step: Step): void {
      if (step.kind !== 'moveSwitch' || step.answer !== 'moved') return
      const { of, op } = step.what
      if (RUNS.has(op)) closed.delete(nameOf(of))
      else closed.add(nameOf(of))
      if (RUNS.has(op) && of.tenant === null) runningSince = step.at
    },
    forbids: ({ tenant, scopeKey }: DocumentRef): boolean =>
      closed.has('service') || closed.has(tenant) || closed.has(scopeKey),
    windowAt(at: number, window: number): number {
      if (closed.has('service')) return 0
      if (runningSince === undefined) return window
      return Math.ceil(window * Math.min(1, 0.1 + (at - runningSince) / 10_000))
    },
  }
}

function nameOf({ tenant, scopeKey }: Switch): string {
  return scopeKey ?? tenant ?? 'service'
}

/** Nothing is dispatched and no attempt begins after a switch above it was closed and the call answered. */
export function switchCheck({ meet }: CheckDeps): StepCheck {
  const book = keepSwitchBook()
  return (step) => {
    book.follow(step)
    if (step.kind === 'moveSwitch') return judgeMove(step)
    if (step.kind === 'dispatch') {
      const forbidden = step.answer.find(({ ref }) => book.forbids(ref))
      return forbidden ? `${forbidden.ref.key} was dispatched while a switch forbids it` : false
    }
    if (step.kind !== 'start' || step.answer.outcome === 'stale') return false
    const { outcome } = step.answer
    const { key } = step.what.ref
    if (!book.forbids(step.what.ref))
      return outcome === 'paused' && `${key} was put back though nothing forbids it`
    if (outcome !== 'paused') return `${key} began while a switch forbids it`
    meet('a start meets a closed switch')
    return true
  }

  function judgeMove(step: Extract<Step, { readonly kind: 'moveSwitch' }>): string | boolean {
    const { of, op } = step.what
    if (step.answer !== 'moved' || (op !== 'stop' && op !== 'restart')) return false
    const left = [...step.after.work.values()].find(({ ref, ticket }) => ticket !== null && isUnder(of, ref))
    if (left) return `${left.ref.key} is still out after a ${op}`
    if (takesBack(step)) meet('an attempt is taken back by a switch')
    return takesBack(step)
  }
}

function isUnder({ tenant, scopeKey }: Switch, ref: DocumentRef): boolean {
  return scopeKey === null ? tenant === null || tenant === ref.tenant : scopeKey === ref.scopeKey
}

function takesBack({ before, after }: Step): boolean {
  return [...before.work].some(
    ([key, row]) => row.state === 'processing' && after.work.get(key)?.state === 'queued',
  )
}
