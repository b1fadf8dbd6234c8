/** Judges the departures of a roll. Pure, so that it can be shown to notice each kind of bad end. */
import type { Departure } from './rolls.ts'

export function judgeRolls(departures: readonly Departure[]) {
  const byRole = new Map(
    [...Map.groupBy(departures, ({ role }) => role)].map(([role, those]) => [
      role,
      { all: those.length, busy: those.filter(({ inFlight }) => inFlight > 0).length },
    ]),
  )
  return {
    slowestMs: Math.max(0, ...departures.map(({ exitMs }) => exitMs)),
    /** Ended by a signal, or with anything but 0. */
    disorderly: departures
      .filter(({ exitCode }) => exitCode !== 0)
      .map(({ name, exitCode }) => `${name} ended with ${exitCode ?? 'a signal'}`),
    /** Departures by role, and those that had something in hand. */
    byRole,
  }
}
