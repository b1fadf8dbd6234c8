/**
 * The context that a passage hangs under: the item, key or announcing sentence that gives it its meaning. `Elected: 2019` says
 * nothing until it is known whose entry it stands in.
 *
 * Indentation decides, with one column of tolerance. Headings and messages start afresh.
 */
import type { Line } from './lines.ts'

interface Peg {
  readonly indent: number
  readonly passage: number
  readonly under: number | null
  readonly item: boolean
  /** How many items hang above each other here, this one included. */
  readonly items: number
}

export interface Hanging {
  /** From the outermost to the innermost. */
  readonly pegs: Peg[]
  quote: number
  /** The last passage, if it ends in a colon and nothing came between. */
  lead: number | null
  /** The last passage, if it ends in a question mark. */
  question: number | null
}

export function nothingHangs(): Hanging {
  return { pegs: [], quote: 0, lead: null, question: null }
}

export interface Hung {
  readonly under: number | null
  /** How many list items stand above this one. */
  readonly depth: number
}

/** Text hangs under what it is indented from; an answer right below a question hangs under the question. */
export function hangText(hanging: Hanging, line: Line): Hung {
  letGo(hanging, line)
  const asked = line.gap === 0 ? hanging.question : null
  return { under: hanging.pegs.at(-1)?.passage ?? asked, depth: 0 }
}

/** Whether a line stands further in than the innermost item or key. */
export function standsUnder(hanging: Hanging, line: Line): boolean {
  const peg = hanging.pegs.at(-1)
  return peg !== undefined && hanging.quote === line.quote && line.indent > peg.indent + 1
}

/** A block that an opening sentence may announce: a table, a quotation, code. */
export function hangAnnounced(hanging: Hanging, line: Line): Hung {
  const hung = hangText(hanging, line)
  return { ...hung, under: hung.under ?? hanging.lead }
}

/** An item or a key, under which others may hang in turn. */
export function hangPeg(hanging: Hanging, line: Line, passage: number, item: boolean): Hung {
  const neighbour = letGo(hanging, line)
  const above = hanging.pegs.at(-1)
  const beside = neighbour !== undefined && neighbour.item === item ? neighbour.under : hanging.lead
  const under = above === undefined ? beside : above.passage
  const depth = above?.items ?? 0
  hanging.pegs.push({ indent: line.indent, passage, under, item, items: depth + (item ? 1 : 0) })
  return { under, depth }
}

/** Lets go of everything this line does not stand further in than; answers the neighbour it stands beside, if any. */
function letGo(hanging: Hanging, line: Line): Peg | undefined {
  if (hanging.quote !== line.quote) hanging.pegs.length = 0
  hanging.quote = line.quote
  let last: Peg | undefined
  for (let peg = hanging.pegs.at(-1); peg !== undefined; peg = hanging.pegs.at(-1)) {
    if (line.indent > peg.indent + 1) break
    last = hanging.pegs.pop()
  }
  return last !== undefined && Math.abs(last.indent - line.indent) <= 1 ? last : undefined
}
