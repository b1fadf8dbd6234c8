/** What the departures of a roll come to. Pure, so that it can be shown to notice each kind of bad end. */
import type { Role } from '../../harness/member.ts'
import type { Departure } from './rolls.ts'

export interface RollVerdict {
  readonly slowestMs: number
  /** Ended by a signal, or with anything but 0. */
  readonly disorderly: readonly string[]
  /** Departures by role, and those that had something in hand. */
  readonly byRole: ReadonlyMap<Role, { readonly all: number; readonly busy: number }>
}

export function judgeRolls(departures: readonly Departure[]): RollVerdict {
  const byRole = new Map(
    [...Map.groupBy(departures, ({ role }) => role)].map(([role, those]) => [
      role,
      { all: those.length, busy: those.filter(({ inHand }) => inHand > 0).length },
    ]),
  )
  return {
    slowestMs: Math.max(0, ...departures.map(({ exitMs }) => exitMs)),
    disorderly: departures
      .filter(({ exitCode }) => exitCode !== 0)
      .map(({ name, exitCode }) => `${name} ended with ${exitCode ?? 'a signal'}`),
    byRole,
  }
}
