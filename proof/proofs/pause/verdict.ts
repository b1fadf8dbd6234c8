/** Lists the faults of pauses that were carried out. Pure, so that it can be shown to notice each kind of fault. */
import { levels } from './cycle-plan.ts'
import type { Level } from './cycle-plan.ts'
import type { Cycle } from './cycles.ts'
import { sum } from '../../harness/statistics.ts'

export type PauseVerdict = ReturnType<typeof judgePauses>

export function judgePauses(cycles: readonly Cycle[]) {
  const broken = cycles.filter(({ startedHere }) => startedHere > 0)
  const understated = cycles.filter(({ paused, inFlight }) => paused.in_flight < inFlight)
  return {
    /** Attempts that began after the answer to a pause. */
    startedAfter: sum(cycles.map(({ startedHere }) => startedHere)),
    /** The pauses that did not hold. */
    broken: broken.map(({ what, startedHere }) => `${what}, and ${startedHere} began after that`),
    /** Answers that do not say what was asked for. */
    wrongAnswers: cycles.flatMap(findWrongAnswers),
    /** Told less under way than was seen afterwards, when it can only become less. */
    understated: understated.map(
      ({ what, paused, inFlight }) => `${what}: told ${paused.in_flight}, seen ${inFlight}`,
    ),
    /** Found nothing under way, so that nothing had to drain. */
    idle: cycles.filter(({ inFlight }) => inFlight === 0).length,
    /** Found work that waited and could have begun. */
    tempted: cycles.filter(({ waiting }) => waiting > 0).length,
    /** Counts for pauses that left something running, the attempts of the others meanwhile. */
    elsewhere: sum(cycles.map(({ level, startedElsewhere }) => (level === 'service' ? 0 : startedElsewhere))),
    byLevel: {
      service: tally(cycles, 'service'),
      tenant: tally(cycles, 'tenant'),
      scope: tally(cycles, 'scope'),
    },
  }
}

/** `service 5/5, tenant 4/6, scope 2/4`: all of a level, and those that found work under way. */
export function describeLevels({ byLevel }: PauseVerdict): string {
  return levels.map((level) => `${level} ${byLevel[level].cycles}/${byLevel[level].inFlight}`).join(', ')
}

function findWrongAnswers({ what, paused, resumed }: Cycle): string[] {
  const faults: string[] = []
  if (paused.state !== 'paused' || paused.effective_state !== 'paused' || !paused.changed)
    faults.push(`${what}: ${JSON.stringify(paused)}`)
  if (resumed.state !== 'running' || resumed.effective_state !== 'running' || !resumed.changed)
    faults.push(`${what}, resumed: ${JSON.stringify(resumed)}`)
  return faults
}

function tally(cycles: readonly Cycle[], level: Level): { cycles: number; inFlight: number } {
  const those = cycles.filter((cycle) => cycle.level === level)
  return { cycles: those.length, inFlight: those.filter(({ inFlight }) => inFlight > 0).length }
}
