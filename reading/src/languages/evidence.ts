/** Counts what gives a language away: words, the small words of each language, and letters of other scripts. */
import { isDigit } from '../characters.ts'
import type { Span } from '../format.ts'
import { scriptLanguage } from './scripts.ts'
import { LATIN_LANGUAGES, NAME_PARTICLES, SMALL_WORDS, TELLING_LETTERS } from './small-words.ts'

/** Filled piece by piece: one for all sentences of a text costs less than one each. */
export interface LanguageEvidence {
  /** Words in Latin letters. */
  words: number
  /** Small words, by the index of the language in `LATIN_LANGUAGES`. */
  readonly small: Float64Array
  /** Words with a letter that is typical of a language; they only decide between languages other than English. */
  readonly lettered: Float64Array
  /** Letters of other scripts, by the language they stand for. */
  readonly scripts: Map<string, number>
}

export function emptyEvidence(): LanguageEvidence {
  return {
    words: 0,
    small: new Float64Array(LATIN_LANGUAGES.length),
    lettered: new Float64Array(LATIN_LANGUAGES.length),
    scripts: new Map(),
  }
}

export function clearEvidence(evidence: LanguageEvidence): void {
  evidence.words = 0
  evidence.small.fill(0)
  evidence.lettered.fill(0)
  evidence.scripts.clear()
}

export function addEvidence(evidence: LanguageEvidence, more: LanguageEvidence): void {
  evidence.words += more.words
  for (let index = 0; index < evidence.small.length; index += 1) {
    evidence.small[index] = (evidence.small[index] ?? 0) + (more.small[index] ?? 0)
    evidence.lettered[index] = (evidence.lettered[index] ?? 0) + (more.lettered[index] ?? 0)
  }
  for (const [language, letters] of more.scripts) addLetters(evidence, language, letters)
}

function addLetters({ scripts }: LanguageEvidence, language: string, letters: number): void {
  scripts.set(language, (scripts.get(language) ?? 0) + letters)
}

export function gatherEvidence(evidence: LanguageEvidence, text: string, [start, end]: Span): void {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (isLatin(code)) {
      const from = at
      while (at + 1 < end && isLatin(text.charCodeAt(at + 1))) at += 1
      // "FY2025E", "12m", "x86": letters at a digit are part of a figure or a code.
      if (!isDigit(text.charCodeAt(from - 1)) && !isDigit(text.charCodeAt(at + 1)))
        countWord(evidence, text, from, at + 1)
    } else if (code >= 0x370) {
      const language = scriptLanguage(code)
      if (language !== null) addLetters(evidence, language, 1)
    }
  }
}

function isLatin(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
  if (code < 0xc0) return false
  return (code <= 0x24f && code !== 0xd7 && code !== 0xf7) || (code >= 0x1e00 && code <= 0x1eff)
}

function isCapital(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0xc0 && code <= 0xde)
}

/** The longest small word. */
const longest = 11

function countWord(evidence: LanguageEvidence, text: string, start: number, end: number): void {
  evidence.words += 1
  if (end - start <= longest) {
    const written = text.slice(start, end)
    const word = isCapital(text.charCodeAt(start)) ? written.toLowerCase() : written
    // "Rue de la Loi", "van der Berg": what stands before a capital may be part of a name in any language.
    if (!NAME_PARTICLES.has(word) || !isCapital(text.charCodeAt(end + 1))) addSmall(evidence, word)
  }
  if (!isCapital(text.charCodeAt(start))) addLettered(evidence, text, start, end)
}

function addSmall({ small }: LanguageEvidence, word: string): void {
  const languages = SMALL_WORDS.get(word)
  if (languages !== undefined) for (const index of languages) small[index] = (small[index] ?? 0) + 1
}

function addLettered({ lettered }: LanguageEvidence, text: string, start: number, end: number): void {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    const languages = code < 0x80 ? undefined : TELLING_LETTERS.get(code)
    if (languages === undefined) continue
    for (const index of languages) lettered[index] = (lettered[index] ?? 0) + 1
    return
  }
}

/** Letters to a word, where words are not set apart or not counted. */
const dense = new Set(['zh', 'ja', 'ko', 'th', 'lo', 'km', 'my'])

/** How many words the letters of other scripts make, roughly. */
export function countForeignWords({ scripts }: LanguageEvidence): number {
  let words = 0
  for (const [language, letters] of scripts) words += letters / (dense.has(language) ? 2 : 5)
  return words
}
