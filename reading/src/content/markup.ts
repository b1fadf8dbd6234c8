/**
 * Tells HTML and XML from a text that mentions a tag. Markup is not read: a quote must be equal to the text from its start to its
 * end, so tags cannot be taken out of it. Files come by a route of their own, which gives their text.
 */
import type { Span } from '../format.ts'

const known = new Set(
  `html head body title meta link style script div span p a br hr b i u em strong small table thead tbody tr td th caption ul ol li dl dt
   dd h1 h2 h3 h4 h5 h6 img form input button label select option textarea section article header footer nav main aside pre code
   blockquote font center svg path iframe`.split(/\s+/),
)

const tag = /<(\/?)([a-zA-Z][\w:.-]*)(?:\s[^<>]*)?\/?>/g
/** Code in Markdown shows markup; it does not make the text any. */
const shownCode = /```[\s\S]*?```|`[^`\n]*`/g
const opening = /^(?:<!doctype\s|<\?xml\b|<html\b)/i

interface TagCounts {
  readonly tags: number
  /** Characters of all tags together. */
  readonly length: number
}

/** A placeholder such as `<name>` is neither a tag that we know nor ever closed. */
function countTags(text: string): TagCounts {
  let [tags, length] = [0, 0]
  for (const [whole, closing, name] of text.matchAll(tag)) {
    if (closing !== '/' && !known.has((name ?? '').toLowerCase())) continue
    tags += 1
    length += whole.length
  }
  return { tags, length }
}

const manyTags = 10
const largeShare = 0.12
const fragmentShare = 0.05

export function isMarkup(text: string): boolean {
  if (!text.includes('<')) return false
  const prose = text.replaceAll(shownCode, ' ').trim()
  const { tags, length } = countTags(prose)
  if (tags < 2) return false
  if (opening.test(prose)) return true
  const isFragment = /^<[a-zA-Z]/.test(prose) && prose.endsWith('>')
  if (isFragment && length >= fragmentShare * prose.length) return true
  return tags >= manyTags && length >= largeShare * prose.length
}

const fewestTags = 5

/** Whole pages inside of a text, such as the second form of an e-mail. */
export function findPages(text: string): Span[] {
  const pages: Span[] = []
  const open = /<(?:!doctype\s+html|html)\b/gi
  const close = /<\/html\s*>/gi
  for (let found = open.exec(text); found !== null; found = open.exec(text)) {
    close.lastIndex = found.index
    const end = close.exec(text)
    if (end === null) return pages
    const page: Span = [found.index, end.index + end[0].length]
    if (countTags(text.slice(...page)).tags >= fewestTags) pages.push(page)
    open.lastIndex = page[1]
  }
  return pages
}
