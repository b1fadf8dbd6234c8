/**
 * Reports that contradict each other: on each matter two or three figures, each stated by several reports of different dates, in one of two
 * wordings. No report states two figures of one matter.
 */
import type { CaseDocument } from '../../harness/cases/cases.ts'
import { createChance } from '../../harness/chance.ts'
import type { Chance } from '../../harness/chance.ts'

export interface Reports {
  readonly documents: readonly CaseDocument[]
  /** Pairs of different figures on one matter. */
  readonly conflicts: number
}

const REPORTS = 18
const COMPANIES = ['Borealis', 'Cassini', 'Delphi'] as const
const MONTHS = ['January', 'February', 'March'] as const
/** Figures that the reports may give on one matter. */
const FIGURES = [406, 436, 466] as const
/** How probably a report says something on a matter. */
const SHARE = 0.4

export function drawReports(seed: number): Reports {
  const chance = createChance(seed)
  const given = new Map<string, Set<number>>()
  const documents = Array.from({ length: REPORTS }, (_, nth) => {
    const sentences = COMPANIES.flatMap((company) =>
      MONTHS.filter(() => chance.happens(SHARE)).map((month) => {
        const figure = chance.oneOf(FIGURES)
        const matter = `${company} ${month}`
        given.set(matter, (given.get(matter) ?? new Set()).add(figure))
        return word(chance, `${company} Ltd had ${figure} employees`, `${month} 2024`)
      }),
    )
    const date = `Date: ${chance.between(1, 28)} ${chance.oneOf(MONTHS)} 2025`
    const text = [date, ...sentences, `Office ${nth} of the group had ${100 + nth} desks in June 2024.`]
    return { id: `report-${nth}`, text: text.join('\n\n') }
  })
  const conflicts = [...given.values()].reduce((sum, { size }) => sum + (size * (size - 1)) / 2, 0)
  return { documents, conflicts }
}

function word(chance: Chance, what: string, when: string): string {
  return chance.happens(0.5) ? `${what} in ${when}.` : `In ${when}, ${what}.`
}
