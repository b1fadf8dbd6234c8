/** Our own labelled cases: those that rules are written against, and those that nobody looks into. */
import { join } from 'node:path'
import { readCases } from '../gold.ts'
import type { GoldCase } from '../gold.ts'
import { sampleOf } from '../measure.ts'
import type { QualityInput, Measured, QualitySet } from '../measure.ts'
import { showShare } from '../print.ts'
import { f1, ratio, scoreCases } from '../scores.ts'
import type { CaseResult, CaseScores } from '../scores.ts'
import { printCounts } from '../show.ts'
import { printStages } from '../model/stages.ts'
import { causesOf, printDetails } from './case-details.ts'
import { printScores, readAll } from './cases.ts'

const home = join(import.meta.dirname, '../..')

export const cases = developmentSet('cases', 'eight labelled cases (development set)')

export const further = developmentSet('further', 'four short cases, held back once (development set)')

export const natural = developmentSet('natural', 'cases as people write at work (development set)')

export const languages = developmentSet('languages', 'cases in two languages each (development set)')

function developmentSet(name: string, about: string): QualitySet {
  return {
    name,
    about,
    foreign: false,
    readsScopes: true,
    async run({ reader, print, verbose, most, skips }) {
      const results = await readAll(reader, casesIn(name, skips).slice(0, most))
      if (verbose) printDetails(print, results)
      return measured(results, printScores(print, results), printStages(print, results))
    },
  }
}

/** Totals only, whatever was asked for: rules must not be written against these. */
export const held: QualitySet = {
  name: 'held',
  about: 'four short cases that rules are not written against: totals only',
  foreign: false,
  readsScopes: true,
  async run({ reader, print, skips }) {
    const results = await readAll(reader, casesIn('held', skips))
    const scores = scoreCases(results)
    const { precision, conflictPrecision, recall, relationRight, hardAlarms, softAlarms, duplicates } = scores
    print(`  precision ${showShare(precision)}, of conflicts ${showShare(conflictPrecision)}`)
    print(`  recall ${showShare(recall)}, relation right ${showShare(relationRight)}`)
    print(
      `  trap alarms hard ${showShare(hardAlarms)}, soft ${showShare(softAlarms)}; reported again ${duplicates}`,
    )
    printCounts(print, '  missed by cause:', causesOf(results))
    return measured(results, scores, printStages(print, results))
  },
}

function casesIn(name: string, skips: QualityInput['skips']): GoldCase[] {
  return readCases(join(home, name)).filter((each) => skips?.has(each.name) !== true)
}

function measured(
  results: readonly CaseResult[],
  scores: CaseScores,
  stages: Measured['figures'] | null,
): Measured {
  const [precision, recall] = [ratio(scores.precision), ratio(scores.recall)]
  return {
    figures: {
      precision,
      recall,
      f1: f1(precision, recall),
      conflict_precision: ratio(scores.conflictPrecision),
      relation: ratio(scores.relationRight),
      hard_alarms: ratio(scores.hardAlarms),
      inexact_quotes: scores.inexactQuotes,
      ...stages,
    },
    samples: results.flatMap(({ outcome }) => [
      ...outcome.matches.map(({ report }) => sampleOf(true)(report)),
      ...outcome.unmatched.map(sampleOf(false)),
    ]),
  }
}
