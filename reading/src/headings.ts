/**
 * Which line is a heading, and how deep. Signs decide first (`#`, underlines), then numbers and keywords, then the look
 * of the line; what is not clearly a heading is left to be text.
 *
 *   1–6  as many as there are `#`; 1 and 2 for an underline of `=` and `-`
 *   2    `RISK FACTORS`, `ARTICLE IV`, `LOT 1  Bridge`
 *   3–7  `3. Scope`, `3.2 Work`, `A. Amounts`: two more than the numbers it has
 *   7    `Item 3: Review`, a line in bold, a short title with room around it
 *   8    `Table 14.1  Disposition`, which stands inside a section
 *   9…   `Histology:`, one deeper for every two columns of indentation
 */
import { readHash, readUnderlined } from './headings/markdown.ts'
import { readKeyword } from './headings/keyword.ts'
import { readLettered } from './headings/lettered.ts'
import { readNumbered } from './headings/numbered.ts'
import type { HeadingFound, HeadingPlace } from './headings/place.ts'
import { readBold, readCapitals, readLabelLine, readTitleLine } from './headings/plain.ts'

/** No heading with all its signs is longer: the first look costs nothing on a long line. */
const longest = 216

export function readHeading(place: HeadingPlace): HeadingFound | null {
  const line = place.sheet.lines[place.index]
  if (line === undefined || line.to - line.from > longest) return null
  const marked = readHash(place) ?? readUnderlined(place)
  if (marked !== null) return marked
  const numbered = readKeyword(place) ?? readNumbered(place) ?? readLettered(place)
  if (numbered !== null || !place.opens) return numbered
  return readCapitals(place) ?? readBold(place) ?? readLabelLine(place) ?? readTitleLine(place)
}
