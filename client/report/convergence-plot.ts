/** The course of a scope's score as an SVG drawing: readable in light and dark, and on paper. */
import type { Convergence } from '../src/index.ts'
import { shareText } from './words.ts'

const WIDTH = 720
const HEIGHT = 160
const MARGIN = { left: 34, right: 10, top: 10, bottom: 22 }

/** Empty where there are fewer than two points: one point is no course. */
export function drawConvergence({ points, score }: Convergence): string {
  if (points.length < 2) return ''
  const scores = [...points.map((point) => point.score), score]
  const x = (at: number) => MARGIN.left + (at / (scores.length - 1)) * (WIDTH - MARGIN.left - MARGIN.right)
  const y = (value: number) => MARGIN.top + (1 - value) * (HEIGHT - MARGIN.top - MARGIN.bottom)
  const line = scores.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const grid = [0, 0.5, 1].map(
    (value) =>
      `<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text x="${MARGIN.left - 6}" y="${y(value) + 4}" text-anchor="end">${value.toFixed(1)}</text>`,
  )
  const from = points[0]?.at.slice(0, 10) ?? ''
  const to = points.at(-1)?.at.slice(0, 10) ?? ''
  return (
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Score over time, now ${shareText(score)}">` +
    `${grid.join('')}<polyline points="${line}"/>` +
    `<circle cx="${x(scores.length - 1).toFixed(1)}" cy="${y(score).toFixed(1)}" r="4"/>` +
    `<text x="${MARGIN.left}" y="${HEIGHT - 4}">${from}</text>` +
    `<text x="${WIDTH - MARGIN.right}" y="${HEIGHT - 4}" text-anchor="end">${to}</text></svg>`
  )
}
