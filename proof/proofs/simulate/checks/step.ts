/** One statement as the checks see it: what was asked, what was answered, and the tables before and after. */
import { SHARDS } from '../rules.ts'
import type { Answers, WorkLogEntry, Kind, Questions, Tables } from '../rules.ts'

interface StepOf<Each extends Kind> {
  readonly kind: Each
  readonly what: Questions[Each]
  readonly answer: Answers[Each]
  readonly before: Tables
  readonly after: Tables
  readonly entries: readonly WorkLogEntry[]
  readonly at: number
}

export type Step = { readonly [Each in Kind]: StepOf<Each> }[Kind]

export type DispatchStep = Extract<Step, { readonly kind: 'dispatch' }>

/** The shards that are the dispatcher's own at the moment of its dispatch, whether it wants to dispatch from them or not. */
export function stillHeld({ before, what, at }: DispatchStep): readonly number[] {
  return SHARDS.filter((shard) => {
    const { holder, expiresAt } = before.leases[shard] ?? { holder: null, expiresAt: -Infinity }
    return holder === what.holder && at < expiresAt
  })
}

/** A sentence when it does not hold; otherwise whether there was anything to judge. */
export type StepCheck = (step: Step) => string | boolean

export interface CheckDeps {
  readonly window: number
  readonly maxStarts: number
  readonly meet: (what: string) => void
}

/** The documents that stop being the business of their ticket by this step. */
export function forsaken(step: Step): readonly string[] {
  const { before, after } = step
  switch (step.kind) {
    case 'accept':
      return step.answer.outcome === 'accepted' ? [step.what.ref.key] : []
    case 'remove':
      return step.answer.outcome === 'removed' ? [step.what.ref.key] : []
    case 'reset':
      return [...before.work.keys()].filter((key) => key.startsWith(`${step.what.scopeKey} `))
    case 'recall':
    case 'moveSwitch':
      return [...before.work.keys()].filter(
        (key) => before.work.get(key)?.ticket !== after.work.get(key)?.ticket,
      )
    default:
      return []
  }
}
