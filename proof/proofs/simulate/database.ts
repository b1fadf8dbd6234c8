/** The store of a world with the rules around it: each statement is applied at once, traced, and checked. */
import type { Checks } from './checks.ts'
import type { Step } from './checks/step.ts'
import type { Ask } from './programs.ts'
import type { Rules, Statements } from './rules.ts'
import type { Store } from './store.ts'
import type { Trace } from './trace.ts'

interface DatabaseDeps {
  readonly rules: Rules
  readonly store: Store
  readonly checks: Checks
  readonly trace: Trace
  readonly now: () => number
}

export function createDatabase({ rules, store: first, checks, trace, now }: DatabaseDeps) {
  const statements: Statements = rules
  let store = first
  let broken: ReturnType<Checks['see']>
  const ask: Ask = (kind, what) => {
    const before = store
    const { store: after, answer, entries } = statements[kind](before, now(), what)
    store = after
    trace.note(`${now()} postgres: ${kind} ${describe(what)} -> ${describe(answer)}`)
    // The compiler does not see that kind, question and answer belong together.
    broken ??= checks.see({ kind, what, answer, before, after, entries, at: now() } as unknown as Step)
    return answer
  }
  return {
    ask,
    store: () => store,
    violate: (check: string, message: string) => void (broken ??= { check, message }),
    /** The first that was found; nothing after it counts. */
    violation: () => broken,
  }
}

function describe(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) =>
    key === 'place' ? (part as { key: string }).key : part,
  )
}
