/** Documents of one order: six pairs that contradict each other, and many that contradict nothing. */
import type { Chance } from '../../harness/chance.ts'

export interface DrawnDocument {
  readonly id: string
  readonly text: string
}

export const CONFLICTS = 6

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June']

const planned = (month: number) => `Borealis Ltd had ${400 + 7 * month} employees in ${MONTHS[month]} 2024.`
const paid = (month: number) => `Borealis Ltd had ${431 + 9 * month} employees in ${MONTHS[month]} 2024.`

/** Both sentences of each conflict, sorted. */
export const PLANTED = MONTHS.map((_, month) =>
  [planned(month), paid(month)].toSorted().join(' – '),
).toSorted()

const letter = (digit: string) => String.fromCodePoint(97 + Number.parseInt(digit, 26))

/** Letters only, because a number would make two names alike. */
function nameOf(nth: number): string {
  return `Q${nth.toString(26).replaceAll(/./g, letter)}nova`
}

const own = (nth: number) => `${nameOf(nth)} Ltd had ${100 + (nth % 800)} employees in 2024.`

/** Each has three statements of its own, and repeats one side of a conflict. */
export function drawDocuments(agreeing: number, chance: Chance): DrawnDocument[] {
  const conflicts = MONTHS.flatMap((_, month) => [
    { id: `plan-${month}`, text: planned(month) },
    { id: `payroll-${month}`, text: paid(month) },
  ])
  const others = Array.from({ length: agreeing }, (_, nth) => {
    const month = chance.between(0, CONFLICTS - 1)
    const repeated = chance.happens(0.5) ? planned(month) : paid(month)
    const text = [own(3 * nth), own(3 * nth + 1), own(3 * nth + 2), repeated].join(' ')
    return { id: `agreeing-${nth}`, text }
  })
  return shuffle([...conflicts, ...others], chance)
}

function shuffle<Each>(list: readonly Each[], chance: Chance): Each[] {
  return list
    .map((each) => ({ each, turn: chance.number() }))
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ each }) => each)
}
