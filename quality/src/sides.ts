/**
 * One side of a labelled pair as places in the text. Besides the quote itself there is what the matching rule adds: the
 * sentence or row around it, in which the value at issue counts wherever it is quoted from; and for a sum over the rows
 * of a table its heading.
 */
import type { ReportPlace } from './report.ts'

export interface GoldSide {
  readonly quote: string
  /** The quote, and further places that state the same. */
  readonly places: readonly ReportPlace[]
  /** The sentences or rows of those places, with the values that may stand for the quote. */
  readonly around: readonly { readonly place: ReportPlace; readonly values: readonly string[] }[]
}

interface Quoted {
  readonly document: string
  readonly quote: string
}

export function readSide(
  own: readonly Quoted[],
  other: readonly Quoted[],
  isSum: boolean,
  texts: ReadonlyMap<string, string>,
): GoldSide {
  const foreign = new Set(other.flatMap(({ quote }) => valueWords(quote)))
  const found = own.map((quoted) => ({ quoted, ...placeOf(quoted, texts) }))
  return {
    quote: own[0]?.quote ?? '',
    places: found.map(({ place, text, quoted }) =>
      isSum && isTable(quoted.quote) ? withHeading(text, place) : place,
    ),
    around: found.map(({ place, text, quoted }) => ({
      place: sentenceAround(text, place),
      values: valueWords(quoted.quote).filter((word) => !foreign.has(word)),
    })),
  }
}

function placeOf(
  { document, quote }: Quoted,
  texts: ReadonlyMap<string, string>,
): { place: ReportPlace; text: string } {
  const text = texts.get(document)
  const start = text?.indexOf(quote) ?? -1
  if (text === undefined || start === -1) throw new Error(`${document} does not hold the quote: ${quote}`)
  return { place: { document, start, end: start + quote.length }, text }
}

/** Numbers and dates, or names where there are none: what is at issue is among them. */
function valueWords(quote: string): string[] {
  const numbers = quote.match(/\d[\d.,:/-]*\d|\d/g)
  return numbers ?? quote.match(/(?<=\s)\p{Lu}[\p{L}-]{2,}/gu) ?? []
}

const isTable = (quote: string) => quote.includes('\n') || /\d {2,}[\d.,]+ {2,}\d/.test(quote)

/** From the end of the sentence before to its own end; a row of a table is its line. */
export function sentenceAround(text: string, { document, start, end }: ReportPlace): ReportPlace {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = endOf(text, '\n', end)
  if (/^\s*\||\S {3,}\S/.test(text.slice(lineStart, lineEnd)))
    return { document, start: lineStart, end: lineEnd }
  const before = text.slice(0, start)
  const breaks = [...before.matchAll(/[.!?]["')]?\s+(?=\S)|\n\s*\n/g)].at(-1)
  const rest = text.slice(end)
  const close = /[.!?](?=["')]?\s)|\n\s*\n/.exec(rest)
  return {
    document,
    start: breaks === undefined ? 0 : breaks.index + breaks[0].length,
    end: close === null ? text.length : end + close.index + 1,
  }
}

/** The block of lines that holds the place, and the short block right before it, which names the table. */
function withHeading(text: string, { document, start, end }: ReportPlace): ReportPlace {
  const blockStart = startOfBlock(text, start)
  const above = text.slice(0, blockStart).trimEnd()
  const aboveStart = startOfBlock(text, above.length)
  const isHeading = above !== '' && above.length - aboveStart <= 160
  return { document, start: isHeading ? aboveStart : blockStart, end }
}

function startOfBlock(text: string, at: number): number {
  const found = [...text.slice(0, at).matchAll(/\n\s*\n/g)].at(-1)
  return found === undefined ? 0 : found.index + found[0].length
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at
}
