/**
 * Names the language of a text and finds what is not in English, sentence by sentence: by small words, and by script. A piece
 * that says too little, such as a row of figures or a name, goes with its neighbours.
 */
import type { Span, Structure } from './format.ts'
import {
  addEvidence,
  clearEvidence,
  countForeignWords,
  emptyEvidence,
  gatherEvidence,
} from './languages/evidence.ts'
import type { LanguageEvidence } from './languages/evidence.ts'
import {
  UNDETERMINED,
  guessEnglish,
  guessOther,
  judgePiece,
  judgeText,
  lacksSmallWords,
} from './languages/guess.ts'
import type { LanguageGuess } from './languages/guess.ts'
import { settleVerdicts } from './languages/neighbours.ts'
import { listPieces } from './languages/pieces.ts'
import type { JudgedPiece, Piece } from './languages/pieces.ts'

export interface LanguageReading extends LanguageGuess {
  /** False where the reader can read nothing of the text. */
  readonly isReadable: boolean
  /** Indexes of the passages that are not in English. */
  readonly passages: ReadonlySet<number>
  /** Headings, fields and sentences of other passages that are not in English. */
  readonly spans: readonly Span[]
}

interface Judgement {
  readonly pieces: readonly JudgedPiece[]
  readonly all: LanguageEvidence
  readonly english: LanguageEvidence
  readonly other: LanguageEvidence
  /** Words of long sentences in which no small word is known. */
  readonly strange: number
}

export function readLanguage(text: string, structure: Structure): LanguageReading {
  const judgement = judgePieces(text, listPieces(structure))
  const { pieces, all } = judgement
  if (isStrange(judgement))
    return {
      ...UNDETERMINED,
      ...collectForeign(
        pieces,
        pieces.map(() => 'other'),
      ),
    }
  const main = findMain(judgement)
  if (main === null) return { ...UNDETERMINED, isReadable: true, passages: new Set(), spans: [] }
  const own = countWords(judgement[main]) > 0 ? judgement[main] : all
  const guess = main === 'english' ? guessEnglish(own) : guessOther(own, text)
  return { ...guess, ...collectForeign(pieces, settleVerdicts(pieces, main)) }
}

function judgePieces(text: string, pieces: readonly Piece[]): Judgement {
  const [all, english, other, here] = [emptyEvidence(), emptyEvidence(), emptyEvidence(), emptyEvidence()]
  let strange = 0
  const judged = pieces.map((piece) => {
    clearEvidence(here)
    gatherEvidence(here, text, piece.span)
    const verdict = judgePiece(here, piece.kind === 'sentence' ? 'sentence' : 'short')
    addEvidence(all, here)
    if (verdict !== null) addEvidence(verdict === 'english' ? english : other, here)
    else if (piece.kind === 'sentence' && isStrangeSentence(text, piece.span, here)) strange += here.words
    return { ...piece, verdict, words: countWords(here) }
  })
  return { pieces: judged, all, english, other, strange }
}

function countWords(evidence: LanguageEvidence): number {
  return evidence.words + countForeignWords(evidence)
}

const longSentence = 6

/** A sentence of words that belong to no language we know; an enumeration of names or parts is none. */
function isStrangeSentence(text: string, span: Span, evidence: LanguageEvidence): boolean {
  if (evidence.words < longSentence || !lacksSmallWords(evidence)) return false
  return text.slice(...span).split(/[,;:|\d]/).length - 1 <= evidence.words / 6
}

const strangeWords = 30

/** Most of the text is prose, in a language that has no list of small words here. */
function isStrange({ all, strange }: Judgement): boolean {
  return strange >= strangeWords && strange > all.words / 2
}

function findMain({ all, english, other }: Judgement): 'english' | 'other' | null {
  const [here, elsewhere] = [countWords(english), countWords(other)]
  if (here === 0 && elsewhere === 0) return judgeText(all)
  return here >= elsewhere ? 'english' : 'other'
}

type Foreign = Pick<LanguageReading, 'isReadable' | 'passages' | 'spans'>

/** A passage with more than two thirds of its words in another language counts as a whole. */
function collectForeign(pieces: readonly JudgedPiece[], verdicts: readonly ('english' | 'other')[]): Foreign {
  const passages = findForeignPassages(pieces, verdicts)
  const spans = pieces.flatMap(({ span, passage }, index) =>
    verdicts[index] === 'other' && (passage === null || !passages.has(passage)) ? [span] : [],
  )
  return { isReadable: verdicts.includes('english'), passages, spans }
}

function findForeignPassages(
  pieces: readonly JudgedPiece[],
  verdicts: readonly ('english' | 'other')[],
): Set<number> {
  const shares = new Map<number, { words: number; foreign: number }>()
  for (const [index, { passage, words }] of pieces.entries()) {
    if (passage === null) continue
    const share = shares.get(passage) ?? { words: 0, foreign: 0 }
    // A piece without words, such as a row of figures, still is one.
    share.words += words + 1
    if (verdicts[index] === 'other') share.foreign += words + 1
    shares.set(passage, share)
  }
  return new Set(
    [...shares].filter(([, { words, foreign }]) => foreign > (2 / 3) * words).map(([passage]) => passage),
  )
}
