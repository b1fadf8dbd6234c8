/** Holds confidence against truth: a report with .8 should be right eight times out of ten. */
import { calibrated } from '@concord/reader-rules/src/comparing/confidence.ts'
import type { Calibration } from '@concord/reader-rules/src/comparing/confidence.ts'
import { fit, fittedSets } from './fitting.ts'
import type { Sample } from './measure.ts'
import { printTable, showRatio, showShare } from './print.ts'
import type { Print } from './print.ts'
import { shareOf } from './scores.ts'
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

const binNames = BINS.map(([from, to]) => `${showRatio(from)} to ${showRatio(Math.min(to, 1))}`)

type NamedSamples = readonly [name: string, samples: readonly Sample[]]

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

/** The mean square of how far confidence is from what turned out; lower is better, and knowing nothing gives .25. */
export function brierScore(samples: readonly Sample[]): number | null {
  if (samples.length === 0) return null
  const squares = samples.map(({ confidence, right }) => (confidence - (right ? 1 : 0)) ** 2)
  return squares.reduce((sum, square) => sum + square, 0) / samples.length
}

/** Counts the right ones of those reported with confidence. */
export function sureAndRight(samples: readonly Sample[]): Share {
  return shareOf(
    samples.filter(({ confidence }) => confidence >= SURE),
    ({ right }) => right,
  )
}

export function printCalibration(print: Print, bySet: ReadonlyMap<string, readonly Sample[]>): void {
  const sets = [...bySet].filter(([, samples]) => samples.length > 0)
  const all = sets.flatMap(([, samples]) => samples)
  print('  as reported; the table is fitted on cases, further, docsets and seeded:')
  printTable(print, [
    ['set', 'reports', 'Brier', 'calibration error', 'right at .8 and more'],
    ...sets.map(([name, samples]) => rowOf(name, samples)),
    rowOf('all', all),
  ])
  printTable(print, [
    ['right by rule and confidence', ...binNames, 'all'],
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
  const brier = showRatio(brierScore(samples))
  return [name, String(samples.length), brier, error, showShare(sureAndRight(samples))]
}

/** The same with each score worth what the other sets say: what to expect of documents that nothing was fitted on. */
function printLeaveOneOut(print: Print, sets: readonly NamedSamples[]): void {
  const fitted = sets.filter(([name]) => fittedSets.includes(name))
  if (fitted.length < 2 || sets.some(([, samples]) => samples.some(({ score }) => score === null))) return
  const shown = sets.map(([name, own]) => {
    const others = fit(new Map(fitted.filter(([other]) => other !== name)))
    return [name, scored(own), judgedBy(others, own)] as const
  })
  const everywhere = (at: 1 | 2) => shown.flatMap((row) => row[at])
  printTable(print, [
    ['each set by the others', 'reports', 'Brier: score', 'fitted', 'error: score', 'fitted'],
    ...[...shown, ['all', everywhere(1), everywhere(2)] as const].map(([name, before, after]) => [
      name,
      String(before.length),
      ...[brierScore(before), brierScore(after)].map(showRatio),
      ...[calibrationError(before), calibrationError(after)].map(showRatio),
    ]),
  ])
  const after = everywhere(2)
  printTable(print, [
    ['fitted by the others', ...binNames],
    ['right', ...BINS.map(([from, to]) => cell(inBin(after, from, to)))],
    ['mean confidence', ...BINS.map(([from, to]) => showRatio(meanOf(inBin(after, from, to))))],
  ])
}

const scored = (samples: readonly Sample[]) =>
  samples.map((sample) => ({ ...sample, confidence: sample.score ?? sample.confidence }))

const judgedBy = (calibration: Calibration, samples: readonly Sample[]) =>
  samples.map((sample) => ({
    ...sample,
    confidence: calibrated({ reason: sample.rule, score: sample.score ?? 0 }, calibration),
  }))

const meanOf = (samples: readonly Sample[]) =>
  samples.length === 0 ? null : samples.reduce((sum, { confidence }) => sum + confidence, 0) / samples.length

const inBin = (samples: readonly Sample[], from: number, to: number) =>
  samples.filter(({ confidence }) => confidence >= from && confidence < to)

const cell = (samples: readonly Sample[]) =>
  samples.length === 0 ? '' : `${samples.filter(({ right }) => right).length}/${samples.length}`
