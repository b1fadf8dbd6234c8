/**
 * A sentence that is told twice, word for word, with one figure in it another: whoever copied it got it wrong, or means to
 * put it right. Figures that only name one of a series, and years, tell two things apart instead.
 */
import type { Claim } from '@concord/reading/src/claim.ts'

const number = /^[\d.,/()%+-]*\d[\d.,/()%+-]*$/
const year = /^(?:19|20)\d\d$/

/** Things numbered in order to have many of it. */
const series: ReadonlySet<string> = new Set(
  `sit lot batch unit subject patient participant invoic case room building phas tranch seri no number ref item tabl figur annex
  appendix pag version quarter week day step stag level group class zon lin ticket order claim account contract
  mileston task part question round visit cycl wav cohort arm tower floor block plot well turbin vessel shipment`.split(
    /\s+/,
  ),
)

const fewestShared = 5
/** Where nothing else differs at all. */
const fewestVerbatim = 3
const maxUnlike = 1
/** Reports that are so many days apart say the same of another time, unless a year is told. */
const daysApart = 45
/** This many words are not repeated by chance, nor by a form. */
const unmistakable = 6

/** The words of two statements: what both say, and what only one of them does. */
interface Words {
  readonly telling: readonly string[]
  readonly onlyA: readonly string[]
  readonly onlyB: readonly string[]
}

export function isRefigured(a: Claim, b: Claim, { telling, onlyA, onlyB }: Words): boolean {
  const verbatim = onlyA.length === 1 && onlyB.length === 1
  if (telling.length < (verbatim ? fewestVerbatim : fewestShared)) return false
  if (telling.length < unmistakable && isOfAnotherTime(a, b)) return false
  const [figureA, figureB] = [loneFigure(onlyA), loneFigure(onlyB)]
  if (figureA === null || figureB === null) return false
  if (Math.max(onlyA.length, onlyB.length) - 1 > maxUnlike) return false
  if (year.test(figureA) || year.test(figureB) || Number(figureA) === Number(figureB)) return false
  // A speaker who tells of a figure in a claim of its own is held to it there, once.
  if (a.qualifiers.includes(`told:${figureA}`) || b.qualifiers.includes(`told:${figureB}`)) return false
  const before = wordBefore(a, figureA)
  return before === wordBefore(b, figureB) && !series.has(before)
}

function isOfAnotherTime(a: Claim, b: Claim): boolean {
  if (a.assertedAt === null || b.assertedAt === null) return false
  return (
    Math.abs(a.assertedAt - b.assertedAt) > daysApart && !a.attribute.words.some((word) => year.test(word))
  )
}

function loneFigure(words: readonly string[]): string | null {
  const figures = words.filter((word) => number.test(word))
  return figures.length === 1 ? (figures[0] ?? null) : null
}

function wordBefore({ attribute: { words } }: Claim, figure: string): string {
  return words[words.indexOf(figure) - 1] ?? ''
}
