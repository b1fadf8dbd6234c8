/** The store of a world with the rules around it: each statement is applied at once, noted, and judged. */
import type { Checks } from './checks.ts'
import type { Step } from './checks/step.ts'
import type { Ask } from './programs.ts'
import type { Rules, Statements } from './rules.ts'
import type { Store } from './store.ts'
import type { Trace } from './trace.ts'

export interface Broken {
  readonly check: string
  readonly message: string
}

export interface Database {
  readonly ask: Ask
  store(): Store
  violate(check: string, message: string): void
  /** The first that was found; nothing after it counts. */
  violation(): Broken | undefined
}

export interface DatabaseDeps {
  readonly rules: Rules
  readonly store: Store
  readonly checks: Checks
  readonly trace: Trace
  readonly now: () => number
}

export function createDatabase({ rules, store: first, checks, trace, now }: DatabaseDeps): Database {
  const statements: Statements = rules
  let store = first
  let broken: Broken | undefined
  return {
    ask(kind, what) {
      const before = store
      const { store: after, answer, entries } = statements[kind](before, now(), what)
      store = after
      trace.note(`${now()} postgres: ${kind} ${describe(what)} -> ${describe(answer)}`)
      // The compiler does not see that kind, question and answer belong together.
      broken ??= checks.see({ kind, what, answer, before, after, entries, at: now() } as unknown as Step)
      return answer
    },
    store: () => store,
    violate: (check, message) => void (broken ??= { check, message }),
    violation: () => broken,
  }
}

function describe(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) =>
    key === 'place' ? (part as { key: string }).key : part,
  )
}
