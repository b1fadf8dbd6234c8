/** Holds confidence against truth: a report with .8 should be right eight times out of ten. */
import type { Sample } from './measure.ts'
import { printTable, showRatio, showShare } from './print.ts'
import type { Print } from './print.ts'
import { ratio, shareOf } from './scores.ts'
import type { Share } from './scores.ts'

const SURE = 0.8
const BINS: readonly (readonly [from: number, to: number])[] = [
  [0, 0.5],
  [0.5, 0.6],
  [0.6, 0.7],
  [0.7, 0.8],
  [0.8, 0.9],
  [0.9, 1.01],
]

/** Expected calibration error: how far confidence is from the share that is right, bin by bin, by size of the bin. */
export function calibrationError(samples: readonly Sample[]): number | null {
  if (samples.length === 0) return null
  const errors = BINS.map(([from, to]) => {
    const bin = inBin(samples, from, to)
    const mean = bin.reduce((sum, { confidence }) => sum + confidence, 0)
    const right = bin.filter((sample) => sample.right).length
    return Math.abs(mean - right)
  })
  return errors.reduce((sum, error) => sum + error, 0) / samples.length
}

/** Of those reported with confidence, how many are right. */
export function sureAndRight(samples: readonly Sample[]): Share {
  return shareOf(
    samples.filter(({ confidence }) => confidence >= SURE),
    ({ right }) => right,
  )
}

export function printCalibration(print: Print, bySet: ReadonlyMap<string, readonly Sample[]>): void {
  const sets = [...bySet].filter(([, samples]) => samples.length > 0)
  const all = sets.flatMap(([, samples]) => samples)
  printTable(print, [
    ['set', 'reports', 'calibration error', 'right at .8 and more'],
    ...sets.map(([name, samples]) => rowOf(name, samples)),
    rowOf('all', all),
  ])
  const bins = BINS.map(([from, to]) => `${showRatio(from)} to ${showRatio(Math.min(to, 1))}`)
  printTable(print, [
    ['right by rule and confidence', ...bins, 'all'],
    ...[...Map.groupBy(all, ({ rule }) => rule)]
      .toSorted(([x], [y]) => (x < y ? -1 : 1))
      .map(([rule, samples]) => [
        rule,
        ...BINS.map(([from, to]) => cell(inBin(samples, from, to))),
        cell(samples),
      ]),
  ])
  printLeaveOneOut(print, sets)
}

function rowOf(name: string, samples: readonly Sample[]): readonly string[] {
  const error = showRatio(calibrationError(samples))
  return [name, String(samples.length), error, showShare(sureAndRight(samples))]
}

/** What a rule's share of right reports in the other sets would have said of this one. */
function printLeaveOneOut(print: Print, sets: readonly (readonly [string, readonly Sample[]])[]): void {
  if (sets.length < 2) return
  const shown = sets.map(([name, own]) => {
    const others = sets.filter(([other]) => other !== name).flatMap(([, samples]) => samples)
    const learnt = own.map((sample) => ({
      ...sample,
      confidence:
        ratio(
          shareOf(
            others.filter(({ rule }) => rule === sample.rule),
            ({ right }) => right,
          ),
        ) ?? 0.5,
    }))
    return `${name} ${showRatio(calibrationError(learnt))}`
  })
  print(`  calibration error with each rule's share in the other sets as confidence: ${shown.join(', ')}`)
}

const inBin = (samples: readonly Sample[], from: number, to: number) =>
  samples.filter(({ confidence }) => confidence >= from && confidence < to)

const cell = (samples: readonly Sample[]) =>
  samples.length === 0 ? '' : `${samples.filter(({ right }) => right).length}/${samples.length}`
