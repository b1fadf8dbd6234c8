/** One statement as the checks see it: what was asked, what was answered, and the tables before and after. */
import { SHARDS } from '../rules.ts'
import type { Answers, Entry, Kind, Questions, Tables } from '../rules.ts'

interface StepOf<Each extends Kind> {
  readonly kind: Each
  readonly what: Questions[Each]
  readonly answer: Answers[Each]
  readonly before: Tables
  readonly after: Tables
  readonly entries: readonly Entry[]
  readonly at: number
}

export type Step = { readonly [Each in Kind]: StepOf<Each> }[Kind]

export type ReleaseStep = Extract<Step, { readonly kind: 'release' }>

/** The shards that are the dispatcher's own at the moment of its release, whether it wants to release from them or not. */
export function stillHeld({ before, what, at }: ReleaseStep): readonly number[] {
  return SHARDS.filter((shard) => {
    const { holder, expiresAt } = before.leases[shard] ?? { holder: null, expiresAt: -Infinity }
    return holder === what.holder && at < expiresAt
  })
}

/** A sentence when it does not hold; otherwise whether there was anything to judge. */
export type StepCheck = (step: Step) => string | boolean

export interface CheckDeps {
  readonly window: number
  readonly maxBegun: number
  readonly meet: (what: string) => void
}

/** The documents that stop being the business of their ticket by this step. */
export function forsaken(step: Step): readonly string[] {
  const { before, after } = step
  switch (step.kind) {
    case 'accept':
      return step.answer.outcome === 'accepted' ? [step.what.place.key] : []
    case 'remove':
      return step.answer.outcome === 'removed' ? [step.what.place.key] : []
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
