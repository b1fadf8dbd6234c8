/** A small picture of shares over time, in characters. */

const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const WIDEST_POINT = 4

/** Lines from the top, the oldest value on the left; what does not fit is the oldest. */
export function plot(values: readonly number[], width: number, height: number): string[] {
  const room = width - AXIS
  const shown = values.slice(-room)
  const each = Math.max(1, Math.min(WIDEST_POINT, Math.floor(room / Math.max(1, shown.length))))
  const rows = Array.from({ length: height }, (_, fromTop) => {
    const floor = height - 1 - fromTop
    const label = fromTop === 0 ? '1.0 ┤' : floor === 0 ? '0.0 ┤' : '    │'
    return `${label}${shown.map((value) => bar(value, floor, height).repeat(each)).join('')}`
  })
  return rows.map((row) => row.trimEnd())
}

const AXIS = 5

function bar(value: number, floor: number, height: number): string {
  const eighths = Math.round((value * height - floor) * 8)
  // The smallest value still is one.
  const least = floor === 0 ? 1 : 0
  return EIGHTHS[Math.max(least, Math.min(8, eighths))] ?? ' '
}
