/**
 * The heartbeats that hatcheries send to each other once a second: the workers of each, its limits, and the numbers of
 * workers that the decider wants.
 */
import type { ScalingLimits } from './scaling.ts'

export interface ScalingDecision {
  /** In milliseconds, by the clock of the decider. */
  readonly at: number
  readonly from: number
  readonly to: number
  readonly reason: string
}

/** A decision for one role on all hosts. */
export interface RoleDecision extends ScalingDecision {
  readonly role: string
}

/** The workers of one role on one host. */
export interface RolePool extends ScalingLimits {
  readonly role: string
  /** How many workers the hatchery keeps here. */
  readonly wanted: number
  /** Workers that have started. */
  readonly running: number
  readonly starting: number
}

export interface HatcheryHeartbeat {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly startedAt: number
  readonly saidAt: number
  /** Other releases read the field by this name. */
  readonly broods: readonly RolePool[]
  /** The last decisions for all hosts, newest first; empty unless this hatchery is the decider. */
  readonly decisions: readonly RoleDecision[]
  /** How many workers of each role each hatchery should have; null unless this hatchery is the decider. */
  readonly wishes: readonly DesiredWorkers[] | null
}

export interface DesiredWorkers {
  readonly hatchery: string
  readonly role: string
  readonly wanted: number
}

/** The hatchery whose id sorts first is the decider. A hatchery that receives no heartbeats decides for itself. */
export function isDecider(id: string, others: readonly { readonly id: string }[]): boolean {
  return others.every((other) => id <= other.id)
}
