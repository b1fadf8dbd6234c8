/** Documents that can be compared and say the same: the facts of one company, told by each of them in an order and in words of its own. */
import type { Chance } from '../../harness/chance.ts'
import type { OutgoingDocument } from '../../harness/post.ts'
import { BREAK } from './kinds.ts'
import { companyName } from './sentences.ts'

/** One fact in several wordings. */
type Fact = readonly [string, ...string[]]

const TITLES = ['Annual report', 'Board memo', 'Letter to lenders', 'Minutes', 'Summary for buyers'] as const

function drawFacts(chance: Chance): Fact[] {
  const company = companyName(chance)
  const year = chance.between(2019, 2025)
  const millions = () => `EUR ${chance.between(2, 90)}.${chance.between(1, 9)}m`
  const [revenue, profit, debt, staff] = [millions(), millions(), millions(), chance.between(40, 900)]
  const [day, capacity] = [chance.between(1, 28), chance.between(100, 9_000)]
  return [
    [
      `${company} had revenue of ${revenue} in ${year}.`,
      `The revenue of ${company} in ${year} was ${revenue}.`,
      `In ${year}, ${company} had revenue of ${revenue}.`,
    ],
    [
      `The operating profit of ${company} in ${year} was ${profit}.`,
      `In ${year}, the operating profit of ${company} was ${profit}.`,
    ],
    [
      `${company} had ${staff} employees at the end of ${year}.`,
      `At the end of ${year}, ${company} had ${staff} employees.`,
    ],
    [
      `The net debt of ${company} at the end of ${year} was ${debt}.`,
      `At the end of ${year}, the net debt of ${company} was ${debt}.`,
    ],
    [`The lease of ${company} ends on ${day} June ${year + 3}.`],
    [`The capacity of the plant of ${company} is ${capacity} tonnes per day.`],
  ]
}

export function drawAgreeingDocuments(count: number, chance: Chance): OutgoingDocument[] {
  const facts = drawFacts(chance)
  return Array.from({ length: count }, (_, nth) => {
    const told = facts
      .map((fact) => ({ text: chance.oneOf(fact), rank: chance.number() }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ text }) => text)
    return { id: `agreeing-${nth}`, text: [chance.oneOf(TITLES), ...told].join(BREAK) }
  })
}
