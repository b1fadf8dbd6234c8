/**
 * Settles the verdict on each piece by what stands around it: a piece that says too little goes with its neighbours, and a few
 * words in another language, such as a quotation, go with the text around them.
 */
import type { JudgedPiece } from './pieces.ts'

type Settled = 'english' | 'other'

/** Fewer words in a row are a quotation or a name, unless they make up this share of all. */
const fewWords = 25
const smallShare = 0.2

export function settleVerdicts(pieces: readonly JudgedPiece[], main: Settled): Settled[] {
  return absorbShortRuns(pieces, fillGaps(pieces, main), main)
}

function fillGaps(pieces: readonly JudgedPiece[], main: Settled): Settled[] {
  const following = nextJudged(pieces)
  let previous: JudgedPiece | undefined
  return pieces.map((piece, index) => {
    if (piece.verdict !== null) {
      previous = piece
      return piece.verdict
    }
    return chooseNeighbour(piece, previous, following[index])?.verdict ?? main
  })
}

function nextJudged(pieces: readonly JudgedPiece[]): (JudgedPiece | undefined)[] {
  let next: JudgedPiece | undefined
  return pieces
    .toReversed()
    .map((piece) => {
      const found = next
      if (piece.verdict !== null) next = piece
      return found
    })
    .toReversed()
}

/** Undefined where neighbours disagree and none of them is nearer. */
function chooseNeighbour(
  piece: JudgedPiece,
  before: JudgedPiece | undefined,
  after: JudgedPiece | undefined,
): JudgedPiece | undefined {
  if (before === undefined || after === undefined || before.verdict === after.verdict) return before ?? after
  if (piece.kind === 'heading') return after
  if (piece.passage !== null && before.passage !== after.passage) {
    if (piece.passage === before.passage) return before
    if (piece.passage === after.passage) return after
  }
  if (before.heading === after.heading) return undefined
  if (piece.heading === before.heading) return before
  return piece.heading === after.heading ? after : undefined
}

function absorbShortRuns(
  pieces: readonly JudgedPiece[],
  verdicts: readonly Settled[],
  main: Settled,
): Settled[] {
  const minor = sumWords(pieces.filter(({ verdict }) => verdict !== null && verdict !== main))
  if (minor >= smallShare * sumWords(pieces.filter(({ verdict }) => verdict !== null))) return [...verdicts]
  const settled = [...verdicts]
  for (let start = 0; start < pieces.length;) {
    let end = start + 1
    while (end < pieces.length && verdicts[end] === verdicts[start]) end += 1
    const judged = pieces.slice(start, end).filter(({ verdict }) => verdict !== null)
    if (verdicts[start] !== main && sumWords(judged) < fewWords) settled.fill(main, start, end)
    start = end
  }
  return settled
}

function sumWords(pieces: readonly JudgedPiece[]): number {
  return pieces.reduce((sum, { words }) => sum + words, 0)
}
