/**
 * Where the convergence of a scope is heading: a pure function of the last points of its series and of what it is now. A point
 * is added only where something moved, so that nothing moves any more shows by how many documents came without one.
 */

export interface TrendPoint {
  /** In millionths. */
  readonly score: number
  /** How often a document had come to its end by then. */
  readonly ended: number
}

export interface Trend {
  readonly shape: 'rising' | 'falling' | 'plateau' | 'oscillating'
  /** Change of the score, as a share, for each document that came to its end. */
  readonly rate: number
  /** At this rate, until there is nothing left; null where no number of documents gets there. */
  readonly documentsToGo: number | null
}

/** So many points are looked at. */
export const TREND_POINTS = 10

const WHOLE = 1_000_000
/** What makes a point makes a move. */
const MOVE = 10_000
/** So many times as long as a point usually took, and none came. */
const PATIENCE = 3
/** A scope that takes a point for each document must wait for a few all the same. */
const SHORTEST_WAIT = 5
/** So often it turned round. */
const TURNS = 3

/** Points oldest first. */
export function trendOf(points: readonly TrendPoint[], now: TrendPoint): Trend {
  const recent = points.slice(-TREND_POINTS)
  const [first] = recent
  if (!first) return { shape: 'plateau', rate: 0, documentsToGo: now.score === WHOLE ? 0 : null }
  const gain = now.score - first.score
  const documents = now.ended - first.ended
  const rate = documents > 0 ? gain / WHOLE / documents : 0
  const shape = shapeOf(recent, now, gain)
  return { shape, rate: Number(rate.toFixed(9)), documentsToGo: documentsToGo(shape, rate, now) }
}

function shapeOf(recent: readonly TrendPoint[], now: TrendPoint, gain: number): Trend['shape'] {
  if (isStill(recent, now)) return 'plateau'
  const moves = [...recent, now]
    .map(({ score }, index, all) => score - (all[index - 1]?.score ?? score))
    .filter((move) => Math.abs(move) >= MOVE)
  const turns = moves.filter((move, index) => index > 0 && move * (moves[index - 1] ?? move) < 0)
  if (turns.length >= TURNS) return 'oscillating'
  if (Math.abs(gain) < MOVE) return 'plateau'
  return gain > 0 ? 'rising' : 'falling'
}

function isStill(recent: readonly TrendPoint[], now: TrendPoint): boolean {
  const [first] = recent
  const last = recent.at(-1)
  if (!first || !last) return true
  const usual = recent.length > 1 ? (last.ended - first.ended) / (recent.length - 1) : 0
  return now.ended - last.ended > PATIENCE * Math.max(usual, SHORTEST_WAIT)
}

function documentsToGo(shape: Trend['shape'], rate: number, { score }: TrendPoint): number | null {
  if (score === WHOLE) return 0
  if (shape !== 'rising' || rate <= 0) return null
  return Math.ceil((WHOLE - score) / WHOLE / rate)
}
