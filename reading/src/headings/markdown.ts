/** Headings by sign: `## Scope`, or a line with `====` or `----` under it. */
import { isSpace, trimmed } from '../characters.ts'
import { keyOf } from '../keys.ts'
import { lineBelow } from '../lines.ts'
import { isUnderline } from '../rulers.ts'
import { fitsHeading, foundAt } from './place.ts'
import type { HeadingFound, HeadingPlace } from './place.ts'
import { endsLikeTitle } from './words.ts'

export function readHash(place: HeadingPlace): HeadingFound | null {
  const { text, lines } = place.sheet
  const line = lines[place.index]
  if (line === undefined || text.charCodeAt(line.from) !== 0x23) return null
  let level = 1
  while (level < 7 && text.charCodeAt(line.from + level) === 0x23) level += 1
  const after = line.from + level
  if (level > 6 || after >= line.to || !isSpace(text.charCodeAt(after))) return null
  let end = line.to
  while (end > after && text.charCodeAt(end - 1) === 0x23) end -= 1
  // `# C#` keeps its sign: a closing run stands apart.
  const closed = end < line.to && isSpace(text.charCodeAt(end - 1))
  const span = trimmed(text, after, closed ? end : line.to)
  if (span === null || !fitsHeading(span)) return null
  const found = foundAt(place, span, level)
  return {
    ...found,
    marks: closed
      ? [
          [line.from, after],
          [end, line.to],
        ]
      : [[line.from, after]],
  }
}

export function readUnderlined(place: HeadingPlace): HeadingFound | null {
  const { text, lines } = place.sheet
  const line = lines[place.index]
  const below = lineBelow(place.sheet, place.index)
  if (line === undefined || below === undefined || !place.opens) return null
  // The last line of a form above a ruler is not a heading.
  if ((keyOf(text, line)?.value ?? null) !== null) return null
  const double = isUnderline(text, below, '=')
  if (!double && !isUnderline(text, below, '-')) return null
  if (!fitsHeading([line.from, line.to]) || !endsLikeTitle(text, line)) return null
  const found = foundAt(place, [line.from, line.to], double ? 1 : 2)
  return { ...found, marks: [[below.mark, below.to]], last: place.index + 1 }
}
