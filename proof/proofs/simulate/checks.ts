/**
 * The checks after every step. Each check keeps books of its own from what was asked and answered, and looks into
 * the tables only to compare: it would be worth nothing if it asked the rules themselves.
 */
import { attemptCheck, epochCheck, fenceCheck } from './checks/attempts.ts'
import { endCheck, logCheck, workCheck } from './checks/documents.ts'
import { fairnessCheck, leaseCheck, windowCheck } from './checks/dispatch.ts'
import { switchCheck } from './checks/switches.ts'
import type { StepCheck, CheckDeps, Step } from './checks/step.ts'

export type Checks = ReturnType<typeof createChecks>

const ALL: Readonly<Record<string, (deps: CheckDeps) => StepCheck>> = {
  'a version ends once': endCheck,
  'an old epoch has no effect': epochCheck,
  'a stale ticket or attempt has no effect': fenceCheck,
  'attempts are counted before they start, and bounded': attemptCheck,
  'only the holder dispatches, and never beyond the window': windowCheck,
  'a lease has one holder': leaseCheck,
  'the log has no gaps': logCheck,
  'nothing begins while a switch forbids it': switchCheck,
  'whoever has least under way is served first': fairnessCheck,
  'what was accepted has its work until it ends': workCheck,
}

export const CHECK_NAMES: readonly string[] = Object.keys(ALL)

export function createChecks(deps: CheckDeps) {
  const counts = new Map<string, number>()
  const checks = Object.entries(ALL).map(([name, create]) => ({ name, see: create(deps) }))
  return {
    see(step: Step): { readonly check: string; readonly message: string } | undefined {
      for (const { name, see } of checks) {
        const verdict = see(step)
        if (typeof verdict === 'string') return { check: name, message: verdict }
        if (verdict) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      return undefined
    },
    /** How often each check had something to judge. */
    counts: (): ReadonlyMap<string, number> => counts,
  }
}
