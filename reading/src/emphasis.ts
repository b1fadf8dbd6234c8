/**
 * Signs of emphasis around a piece: `**bold**`, `*italic*`, `__bold__`, `` `code` ``. They are taken off keys, labels and
 * cells, which are compared with others; sentences keep them, since a quote must be found in the text.
 */
import type { Span } from './format.ts'

const signs = '*_`'

export function isEmphasis(text: string, at: number): boolean {
  return at < text.length && signs.includes(text.charAt(at))
}

/** How many equal signs stand at an offset, four at most. */
export function emphasisRun(text: string, at: number, to: number): number {
  if (!isEmphasis(text, at)) return 0
  const limit = Math.min(to, at + 4)
  let end = at
  while (end < limit && text.charCodeAt(end) === text.charCodeAt(at)) end += 1
  return end - at
}

/** The piece without signs that stand at both of its ends; untouched when they do not match or leave nothing. */
export function withoutEmphasis(text: string, span: Span): Span {
  const [start, end] = span
  const run = Math.min(3, emphasisRun(text, start, end))
  if (run === 0 || end - start <= 2 * run) return span
  const sign = text.slice(start, start + run)
  if (text.slice(end - run, end) !== sign) return span
  const inner = text.slice(start + run, end - run)
  const touches =
    inner.trim() === inner && !inner.startsWith(sign.charAt(0)) && !inner.endsWith(sign.charAt(0))
  return touches ? [start + run, end - run] : span
}

/** The piece without signs at either end, matched or not: for keys, whose second half may stand behind the colon. */
export function strippedOfEmphasis(text: string, span: Span): Span | null {
  let [start, end] = span
  while (start < end && isEmphasis(text, start)) start += 1
  while (end > start && isEmphasis(text, end - 1)) end -= 1
  return start < end ? [start, end] : null
}
