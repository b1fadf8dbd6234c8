/** The times that events carry, found and not parsed: with ten thousand readers on one processor it makes a difference. */

const MARK = '"time":"'
const LENGTH = '2026-01-01T00:00:00.000Z'.length

/** Returns a function that is fed pieces of a stream and hands on the time of each event once, however they are cut. */
export function createEventTimes(onEvent: (time: number) => void): (piece: string) => void {
  let pending = ''
  return (piece) => {
    const text = pending + piece
    let start = 0
    for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, start)) {
      const end = at + MARK.length + LENGTH
      if (end > text.length) break
      onEvent(Date.parse(text.slice(at + MARK.length, end)))
      start = end
    }
    // No more than a mark and a time can lie across the boundary.
    pending = text.slice(Math.max(start, text.length - MARK.length - LENGTH + 1))
  }
}
