/**
 * Computes the trend of a scope's convergence from the last points of its series and its present state. Pure. A point is
 * added only when the score changes, so a plateau shows in the number of documents since the last point.
 */

export interface TrendPoint {
  /** In millionths. */
  readonly score: number
  /** In millionths. */
  readonly coverage: number
  /** How many times a document was processed, failed or held by then. */
  readonly ended: number
}

export interface TrendNow extends TrendPoint {
  /** The number of documents that are not read yet. */
  readonly unfinished: number
}

export interface Trend {
  readonly shape: 'rising' | 'falling' | 'plateau' | 'oscillating'
  /** The change of the score per ended document, as a share. */
  readonly rate: number
  /**
   * How many documents it takes at this rate until the scope is settled; null if it does not get there, or no document
   * is being read.
   */
  readonly documentsToGo: number | null
}

/** The number of points that the trend uses. */
export const TREND_POINTS = 10

const WHOLE = 1_000_000
/** The smallest change of the score that counts. */
const MOVE = 10_000
/** The score is on a plateau after this many times the usual number of documents without a new point. */
const OVERDUE_FACTOR = 3
/** The minimum number of documents before a plateau, for scopes that get a point with each document. */
const SHORTEST_WAIT = 5
/** The number of reversals that makes a series oscillate. */
const TURNS = 3

/**
 * The points come oldest first. While documents are being read, the score rises with them. So once all are read, only the
 * points with the present coverage count.
 */
export function trendOf(points: readonly TrendPoint[], now: TrendNow): Trend {
  const alike = now.unfinished > 0 ? points : points.filter(({ coverage }) => coverage === now.coverage)
  const recent = alike.slice(-TREND_POINTS)
  const [first = now] = sinceLastReversal([...recent, now])
  const gain = now.score - first.score
  const documents = now.ended - first.ended
  const rate = documents > 0 ? gain / WHOLE / documents : 0
  const shape = shapeOf(recent, now, gain)
  return { shape, rate: Number(rate.toFixed(9)), documentsToGo: documentsToGo(shape, rate, now) }
}

/** Returns the points since the last reversal, so that the trend shows the present direction. */
function sinceLastReversal(points: readonly TrendPoint[]): readonly TrendPoint[] {
  let direction = 0
  for (let at = points.length - 1; at > 0; at -= 1) {
    const move = moveAt(points, at)
    if (Math.abs(move) < MOVE) continue
    if (direction !== 0 && Math.sign(move) !== direction) return points.slice(at)
    direction = Math.sign(move)
  }
  return points
}

function moveAt(points: readonly TrendPoint[], at: number): number {
  const [before, after] = [points[at - 1], points[at]]
  return before && after ? after.score - before.score : 0
}

function shapeOf(recent: readonly TrendPoint[], now: TrendPoint, gain: number): Trend['shape'] {
  if (isStill(recent, now)) return 'plateau'
  const moves = [...recent, now].map((_, at, all) => moveAt(all, at)).filter((move) => Math.abs(move) >= MOVE)
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
  return now.ended - last.ended > OVERDUE_FACTOR * Math.max(usual, SHORTEST_WAIT)
}

function documentsToGo(shape: Trend['shape'], rate: number, { score, unfinished }: TrendNow): number | null {
  if (score === WHOLE) return 0
  if (unfinished === 0 || shape !== 'rising' || rate <= 0) return null
  return Math.ceil((WHOLE - score) / WHOLE / rate)
}
