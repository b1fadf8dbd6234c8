/**
 * The worth of a score: for each rule a curve from score to the share of reports that are right. One slope for all rules, and
 * a step up or down for each that is drawn towards none where a rule has few reports.
 */
import type { Calibration } from '@concord/reader-rules/src/comparing/confidence.ts'
import type { Sample } from './measure.ts'

/** Those that people judged count report by report; one that was generated has many that are alike. */
const MOST = new Map([
  ['cases', Infinity],
  ['further', Infinity],
  ['docsets', Infinity],
  ['seeded', 20],
])

export const fittedSets: readonly string[] = [...MOST.keys()]

/** At which scores a curve is noted. */
const KNOTS = [0.5, 0.6, 0.7, 0.8, 0.9, 1] as const

/** The weight of the prior, as though this many reports had said that a rule is like all others, and that a score is what it says. */
const DRAWN_TO_ALL = 2
const DRAWN_TO_SCORE = 1

/** Nothing is certain. */
const SUREST = 0.98

/** By set; a set that is left out is not in it. */
export type Samples = ReadonlyMap<string, readonly Sample[]>

interface Weighed {
  readonly rule: string
  readonly logit: number
  readonly right: number
  readonly weight: number
}

interface Curve {
  readonly base: number
  readonly slope: number
  readonly steps: ReadonlyMap<string, number>
}

export function fit(samples: Samples): Calibration {
  const curve = curveOf([...samples].flatMap(([set, own]) => weighed(set, own)))
  const rules = [...curve.steps.keys()].toSorted()
  return {
    scores: [...KNOTS],
    rules: Object.fromEntries(rules.map((rule) => [rule, knotsOf(curve, rule)])),
    others: knotsOf(curve, ''),
  }
}

function weighed(set: string, samples: readonly Sample[]): readonly Weighed[] {
  const most = MOST.get(set) ?? 0
  const weight = Math.min(1, most / samples.length)
  return samples.flatMap(({ rule, score, right }) =>
    score === null || weight === 0 ? [] : [{ rule, logit: logit(score), right: right ? 1 : 0, weight }],
  )
}

/** Step by step towards what is most probable; the function has one summit, so there is nothing to be unlucky with. */
function curveOf(samples: readonly Weighed[]): Curve {
  const steps = new Map(samples.map(({ rule }) => [rule, 0]))
  let [base, slope] = [0, 1]
  for (let turn = 0; turn < 400; turn += 1) {
    const curve = { base, slope, steps }
    const pulls = samples.map((sample) => pullOf(curve, sample))
    base += moved(pulls, () => 1, 0, 0)
    slope = Math.max(0, slope + moved(pulls, ({ sample }) => sample.logit, slope - 1, DRAWN_TO_SCORE))
    for (const [rule, step] of steps) {
      const own = pulls.filter(({ sample }) => sample.rule === rule)
      steps.set(rule, step + moved(own, () => 1, step, DRAWN_TO_ALL))
    }
  }
  return { base, slope, steps }
}

interface Pull {
  readonly sample: Weighed
  readonly error: number
  readonly curvature: number
}

function pullOf(curve: Curve, sample: Weighed): Pull {
  const expected = shareAt(curve, sample.rule, sample.logit)
  return {
    sample,
    error: sample.weight * (sample.right - expected),
    curvature: sample.weight * expected * (1 - expected),
  }
}

/** Half of a step of Newton's, for several are taken at once. */
function moved(
  pulls: readonly Pull[],
  of: (pull: Pull) => number,
  distance: number,
  strength: number,
): number {
  let [towards, against] = [-strength * distance, strength + 0.01]
  for (const pull of pulls) {
    const x = of(pull)
    towards += pull.error * x
    against += pull.curvature * x * x
  }
  return (0.5 * towards) / against
}

function knotsOf(curve: Curve, rule: string): readonly number[] {
  const shares = KNOTS.map((score) => Math.min(SUREST, shareAt(curve, rule, logit(score))))
  return shares.map((share) => Math.round(share * 100) / 100)
}

function shareAt({ base, slope, steps }: Curve, rule: string, at: number): number {
  return 1 / (1 + Math.exp(-(base + slope * at + (steps.get(rule) ?? 0))))
}

function logit(score: number): number {
  const bounded = Math.min(SUREST, Math.max(1 - SUREST, score))
  return Math.log(bounded / (1 - bounded))
}
