/** The messages between hatcheries, once a second: what each has and may have, and what the one that decides wishes. */
import type { ScalingLimits } from './scaling.ts'

export interface ScalingDecision {
  /** In milliseconds of the decider's clock. */
  readonly at: number
  readonly from: number
  readonly to: number
  readonly reason: string
}

/** For one role on all hosts. */
export interface RoleDecision extends ScalingDecision {
  readonly role: string
}

/** The workers of one role on one host. */
export interface Brood extends ScalingLimits {
  readonly role: string
  /** How many it means to have here. */
  readonly wanted: number
  /** Those that are up; others may be on their way. */
  readonly running: number
  readonly starting: number
}

export interface HatcherySaid {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly startedAt: number
  readonly saidAt: number
  readonly broods: readonly Brood[]
  /** The last few for all hosts, newest first; from the hatchery that decides. */
  readonly decisions: readonly RoleDecision[]
  /** How many each hatchery should have, of each role; from the one that decides, null from others. */
  readonly wishes: readonly Wish[] | null
}

export interface Wish {
  readonly hatchery: string
  readonly role: string
  readonly wanted: number
}

/** The one whose id comes first decides for all. Whoever hears nobody decides for itself. */
export function isDecider(id: string, heard: readonly { readonly id: string }[]): boolean {
  return heard.every((other) => id <= other.id)
}
