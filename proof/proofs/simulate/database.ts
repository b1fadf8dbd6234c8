/** The tables of a world with the rules around it: each statement is applied at once, traced, and checked. */
import type { Checks } from './checks.ts'
import type { Step } from './checks/step.ts'
import type { ProgramRequest } from './programs.ts'
import type { Rules, Statements, Tables } from './rules.ts'
import type { SimulationTrace } from './trace.ts'

interface DatabaseDeps {
  readonly rules: Rules
  readonly tables: Tables
  readonly checks: Checks
  readonly trace: SimulationTrace
  readonly now: () => number
}

export function createDatabase({ rules, tables: first, checks, trace, now }: DatabaseDeps) {
  const statements: Statements = rules
  let tables = first
  let broken: ReturnType<Checks['see']>
  const ask: ProgramRequest = (kind, what) => {
    const before = tables
    const { tables: after, answer, entries } = statements[kind](before, now(), what)
    tables = after
    trace.note(`${now()} postgres: ${kind} ${describe(what)} -> ${describe(answer)}`)
    // The compiler does not see that kind, question and answer belong together.
    broken ??= checks.see({ kind, what, answer, before, after, entries, at: now() } as unknown as Step)
    return answer
  }
  return {
    ask,
    tables: () => tables,
    violate: (check: string, message: string) => void (broken ??= { check, message }),
    /** The first that was found; nothing after it counts. */
    violation: () => broken,
  }
}

function describe(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => (key === 'ref' ? (part as { key: string }).key : part))
}
