/**
 * List items: a marker, and the text that hangs on it. Only the item is found here; what it hangs under is decided when
 * all blocks are known.
 */
import { isLower } from './characters.ts'
import type { Span } from './format.ts'
import { markerOf } from './markers.ts'
import { textEnd, textFrom } from './paragraphs.ts'
import type { TextFound } from './paragraphs.ts'
import { isWrapped } from './starts.ts'
import type { Ground } from './starts.ts'

export interface ItemFound extends TextFound {
  readonly marker: Span
}

export function readItem(ground: Ground, index: number): ItemFound | null {
  const { text, lines } = ground.sheet
  const line = lines[index]
  const marker = line === undefined ? null : markerOf(text, line)
  if (line === undefined || marker === null) return null
  const last = textEnd(ground, { first: index, list: true }, (next, above) => {
    if (next.indent > line.indent) return true
    // Not indented, it still goes on when the margin broke it inside a sentence.
    return next.indent === line.indent && isWrapped(above) && isLower(text, next.from)
  })
  const found = textFrom(ground.sheet, { first: index, last, start: line.from, text: marker.text })
  return found === null ? null : { ...found, marker: marker.span }
}
