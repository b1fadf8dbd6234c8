/**
 * Where the convergence of a scope is heading: a pure function of the last points of its series and of what it is now. A point
 * is added only where something moved, so that nothing moves any more shows by how many documents came without one.
 */

export interface TrendPoint {
  /** In millionths. */
  readonly score: number
  /** In millionths. */
  readonly coverage: number
  /** How often a document had come to its end by then. */
  readonly ended: number
}

export interface TrendNow extends TrendPoint {
  /** Documents that are still to be read. */
  readonly unfinished: number
}

export interface Trend {
  readonly shape: 'rising' | 'falling' | 'plateau' | 'oscillating'
  /** Change of the score, as a share, for each document that came to its end. */
  readonly rate: number
  /** At this rate, until there is nothing left; null where no number of documents gets there, or none is being read. */
  readonly documentsToGo: number | null
}

/** The number of points that are looked at. */
export const TREND_POINTS = 10

const WHOLE = 1_000_000
/** The least step that counts as a move. */
const MOVE = 10_000
/** The pace is old after this many times the usual time of a point without one. */
const OVERDUE_FACTOR = 3
/** A scope that takes a point for each document must wait for a few all the same. */
const SHORTEST_WAIT = 5
/** So often it turned round. */
const TURNS = 3

/**
 * Points oldest first. Like is compared with like: while documents are being read the score rises with them, so once all are read
 * only points with as much read as now count.
 */
export function trendOf(points: readonly TrendPoint[], now: TrendNow): Trend {
  const alike = now.unfinished > 0 ? points : points.filter(({ coverage }) => coverage === now.coverage)
  const recent = alike.slice(-TREND_POINTS)
  const course = lastCourse([...recent, now])
  const [first = now] = course
  const gain = now.score - first.score
  const documents = now.ended - first.ended
  const rate = documents > 0 ? gain / WHOLE / documents : 0
  const shape = shapeOf(recent, now, gain)
  return { shape, rate: Number(rate.toFixed(9)), documentsToGo: documentsToGo(shape, rate, now) }
}

/** The last points since the score turned round: it is told which way it goes now, not which way it went before. */
function lastCourse(points: readonly TrendPoint[]): readonly TrendPoint[] {
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
