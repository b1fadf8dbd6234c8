/**
 * The documents that are sent: healthy documents, some of them made to hurt a careless reader, and hostile ones strewn among them. The
 * healthy ones of two phases have the same texts in the same order, so that the phases can be compared.
 */
import { SILENT_SENTENCE } from '../../harness/history.ts'
import { baitText, baits, longBaits } from './baits.ts'
import type { Bait } from './baits.ts'

export interface Letter {
  readonly id: string
  readonly text: string
  /** Undefined for a healthy one. */
  readonly bait?: Bait
}

/** Texts at which the real reader must not falter: what makes careless patterns and recursions run away. */
const trials: readonly string[] = [
  'a'.repeat(50_000),
  `${'a'.repeat(30_000)}!`,
  ' '.repeat(40_000).concat('x'),
  '\t \t'.repeat(12_000),
  `${'> '.repeat(8_000)}deep`,
  Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth % 200)}- level ${depth}`).join('\n'),
  `${'('.repeat(20_000)}${')'.repeat(20_000)}`,
  '*_'.repeat(15_000),
  `| ${'a | '.repeat(6_000)}\n|${'---|'.repeat(6_000)}\n`,
  `${'#'.repeat(10_000)} heading\n`.repeat(2),
  'From: '.repeat(5_000),
  '“'.repeat(10_000),
  '1.'.repeat(15_000),
  'Mr. Dr. e.g. '.repeat(3_000),
  '-'.repeat(40_000),
  'x\r\n\r\n'.repeat(8_000),
]

/** This many make a page of 3,000 characters. */
const PARAGRAPHS = 12
/** The others claim nothing: this is about the pace of reading beside hostile texts, not about what comes of it. */
const CLAIMING_ONE_IN = 10

/** One in so many healthy documents is a trial. */
const TRIAL_ONE_IN = 50

export function healthyLetters(name: string, count: number): Letter[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `${name}-${number}`,
    text: healthyText(number),
  }))
}

function healthyText(number: number): string {
  const trial = number % TRIAL_ONE_IN === 0 ? trials[(number / TRIAL_ONE_IN) % trials.length] : undefined
  return (
    trial ??
    `Report ${number}\n\n${Array.from({ length: PARAGRAPHS }, (_, place) => paragraphOf(number, place)).join('\n\n')}\n`
  )
}

function paragraphOf(number: number, place: number): string {
  if (number % CLAIMING_ONE_IN !== 1) return `Nota ${number}-${place}. ${SILENT_SENTENCE.repeat(4)}`
  return (
    `The delivery of lot ${number}-${place} was confirmed on the third of May. The price was ${100 + (number % 900)} ` +
    `francs a piece. Nobody else was present when it was counted. The second count gave ${(number + place) % 97} ` +
    `pieces less; the clerk noted the difference in the margin.`
  )
}

/** All kinds in turn, and in the middle the long ones, once. */
export function hostileLetters(count: number): Letter[] {
  const short = Array.from({ length: count - longBaits.length }, (_, number) => baits[number % baits.length])
  return short
    .toSpliced(short.length / 2, 0, ...longBaits)
    .flatMap((bait, number) =>
      bait ? [{ id: `${bait.kind}-${number}`, text: baitText(bait, number), bait }] : [],
    )
}

/** The second evenly among the first, each a random step from its place; the order of the first stays. */
export function strew(
  healthy: readonly Letter[],
  hostile: readonly Letter[],
  random: () => number,
): Letter[] {
  const stride = healthy.length / Math.max(1, hostile.length)
  const placed = [
    ...healthy.map((letter, place) => ({ letter, place })),
    ...hostile.map((letter, turn) => ({ letter, place: (turn + random()) * stride })),
  ]
  return placed.toSorted((a, b) => a.place - b.place).map(({ letter }) => letter)
}
