/** Documents that are much to compare, and small ones of somebody else beside them. */

export interface HeavyDocument {
  readonly id: string
  readonly text: string
}

/** The most claims that a reader takes from a document. */
const LINES = 400
const CONSONANTS = 'bcdfghjklmnprstvwxzq'
const VOWELS = 'aeiou'

/** A word for each number below 400, without digits: these are not part of a name. */
function wordOf(number: number): string {
  const [high, low] = [Math.floor(number / CONSONANTS.length), number % CONSONANTS.length]
  const vowel = VOWELS.charAt(number % VOWELS.length)
  return `${CONSONANTS.charAt(high)}${vowel}${CONSONANTS.charAt(low)}${vowel}`
}

/** A monthly report: the same 400 lines in each, with other figures. */
export function companyReport(number: number): HeavyDocument {
  const line = (at: number) =>
    `The operating profit of Comp${wordOf(at)}orp Ltd in 2025 was EUR ${at + 3 * number} m.`
  return { id: `report-${number}`, text: linesOf(line) }
}

/** The heaviest possible document: 400 claims in five groups each, which no two claims of the document share. */
export function widestTable(number: number): HeavyDocument {
  const row = (at: number) => {
    const [first, second, third] = [at, (at * 7 + 3) % LINES, LINES - 1 - at].map(wordOf)
    return `| ${first}mar ${second}tel ${third}ven of Comp${first}orp | EUR ${at + 3 * number} m |`
  }
  return { id: `table-${number}`, text: `| measure | 2025 |\n|---|---|\n${linesOf(row)}` }
}

export function smallNote(number: number): HeavyDocument {
  const text = `The rent of office ${number % 50} in 2025 was EUR ${number % 7} m. Nobody else was present.`
  return { id: `note-${number}`, text }
}

function linesOf(line: (at: number) => string): string {
  return Array.from({ length: LINES }, (_, at) => line(at)).join('\n')
}
