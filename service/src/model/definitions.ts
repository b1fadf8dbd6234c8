/** Terms and abbreviations that a text defines, so that a later part of it can be read alone. Linear in the length of the text. */

export interface Definition {
  readonly term: string
  readonly words: string
  readonly at: number
}

/** `Brisling Analytics Holding B.V. (the "Company")`, `Adverse Drug Reaction (ADR)`. */
const inBrackets =
  /\((?:(?:the|hereinafter|die|der|das|le|la|el) )?["“„«']?(\p{Lu}[\p{L}\d&-]{1,23})["”“»']?\)/gu
/** `"Effective Date" means the day on which …` */
const byMeaning =
  /["“„«]([^"”“»\n]{2,40})["”“»] (?:means|shall mean|refers to|bedeutet|bezeichnet|désigne|significa)\b[^.\n]{3,160}/gu

/** How much of the text before the bracket belongs to it. */
const maxBefore = 90

export function findDefinitions(text: string): Definition[] {
  const short = Array.from(text.matchAll(inBrackets), (found): Definition => {
    const before = text.slice(Math.max(0, found.index - maxBefore), found.index)
    const clause = before.slice(before.search(/[^.;:\n|]*$/u)).trim()
    return { term: found[1] ?? '', words: `${clause} ${found[0]}`, at: found.index }
  })
  const long = Array.from(text.matchAll(byMeaning), (found): Definition => ({
    term: found[1] ?? '',
    words: found[0],
    at: found.index,
  }))
  return [...short, ...long].toSorted((a, b) => a.at - b.at)
}

const maxDefinitions = 30

/** The definitions before a part of the text whose terms the part uses, the first of each term. */
export function definitionsFor(part: string, start: number, all: readonly Definition[]): string[] {
  const used = new Map<string, string>()
  for (const { term, words, at } of all) {
    if (at >= start || used.size >= maxDefinitions) break
    if (!used.has(term) && part.includes(term)) used.set(term, words.replaceAll(/\s+/g, ' '))
  }
  return [...used.values()]
}
