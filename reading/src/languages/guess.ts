/** From counts to a language: of a single piece, whether it is English; of a whole text, which language it is in. */
import { countForeignWords } from './evidence.ts'
import type { LanguageEvidence } from './evidence.ts'
import { refineScript } from './scripts.ts'
import { LATIN_LANGUAGES } from './small-words.ts'

export interface LanguageGuess {
  /** ISO 639-1, or `und`. */
  readonly language: string
  /** Between 0 and 1. */
  readonly confidence: number
}

export const UNDETERMINED: LanguageGuess = { language: 'und', confidence: 0 }

const english = LATIN_LANGUAGES.indexOf('en')

/** The language that one piece shows by itself; null where it says too little. */
export type LanguageVerdict = 'english' | 'other' | null

interface Bar {
  /** Fewer words say nothing. */
  readonly words: number
  /** At least this many small words more than English ones, and this share of the words. */
  readonly more: number
  readonly share: number
}

const bars = {
  sentence: { words: 5, more: 2, share: 0.16 },
  /** Rows, fields and headings are full of names. */
  short: { words: 10, more: 3, share: 0.25 },
  text: { words: 4, more: 2, share: 0.15 },
} as const satisfies Record<string, Bar>

export function judgePiece(evidence: LanguageEvidence, kind: keyof typeof bars): LanguageVerdict {
  const { words, small } = evidence
  const elsewhere = countForeignWords(evidence)
  if (elsewhere >= 2 && elsewhere > words) return 'other'
  const { words: fewest, more, share } = bars[kind]
  const [here, there] = [small[english] ?? 0, small[findBest(evidence)] ?? 0]
  if (words >= 4 && here - there >= Math.max(1, words * 0.08)) return 'english'
  return words >= fewest && there - here >= Math.max(more, words * share) ? 'other' : null
}

/** The guess for a text whose pieces all say too little. */
export function judgeText(evidence: LanguageEvidence): LanguageVerdict {
  const verdict = judgePiece(evidence, 'text')
  if (verdict !== null || evidence.words < 8) return verdict
  const [here, there] = [evidence.small[english] ?? 0, evidence.small[findBest(evidence)] ?? 0]
  return here >= evidence.words * 0.03 && here > 2 * there ? 'english' : null
}

/** The index of the language other than English with most small words; typical letters decide between those that are alike. */
function findBest({ small, lettered }: LanguageEvidence): number {
  let [best, most] = [-1, -1]
  for (let index = 0; index < small.length; index += 1) {
    const score = (small[index] ?? 0) + (lettered[index] ?? 0) / 2
    if (index !== english && score > most) [best, most] = [index, score]
  }
  return best
}

export function guessEnglish(evidence: LanguageEvidence): LanguageGuess {
  return { language: 'en', confidence: confidenceOf(evidence, english) }
}

/** Names the language of pieces that are not in English. */
export function guessOther(evidence: LanguageEvidence, text: string): LanguageGuess {
  if (countForeignWords(evidence) > evidence.words) return guessScript(evidence, text)
  const best = findBest(evidence)
  const confidence = confidenceOf(evidence, best)
  // Languages without a list here borrow a few words of others.
  return confidence < 0.05 ? UNDETERMINED : { language: LATIN_LANGUAGES[best] ?? 'und', confidence }
}

function guessScript({ scripts }: LanguageEvidence, text: string): LanguageGuess {
  const [most] = [...scripts].toSorted((a, b) => b[1] - a[1])
  if (most === undefined) return UNDETERMINED
  const all = [...scripts.values()].reduce((sum, letters) => sum + letters, 0)
  const [script, letters] = most
  // Japanese is written in two scripts.
  const own =
    script === 'zh' || script === 'ja' ? (scripts.get('zh') ?? 0) + (scripts.get('ja') ?? 0) : letters
  const language =
    scripts.has('ja') && (script === 'zh' || script === 'ja')
      ? refineScript('zh', text)
      : refineScript(script, text)
  return { language, confidence: rounded((own / all) * Math.min(1, own / 12)) }
}

/** Enough small words to tell at all, times the distance to the next language. */
function confidenceOf({ small }: LanguageEvidence, index: number): number {
  const own = small[index] ?? 0
  if (own === 0) return 0
  const next = Math.max(...small.filter((_, other) => other !== index))
  return rounded(Math.min(1, own / 8) * Math.max(0, 1 - (next / own) ** 2))
}

function rounded(confidence: number): number {
  return Math.round(confidence * 100) / 100
}

/** Sentences of this many words have small words, in whatever language they are. */
export function lacksSmallWords({ words, small }: LanguageEvidence): boolean {
  return Math.max(...small) < words * 0.08
}
