/** Refuses HTML where a text is asked for: only a file is read as HTML. */
import type { z } from 'zod'

const HTML_TYPE = /^(?:x?html?|text\/html)$/i
/** Linear: it does not go past the next bracket. */
const HTML_TAG =
  /<(?:!doctype\s+html|\/?(?:html|head|body|div|p|h[1-6]|table|tr|td|ul|ol|li|span|br|a)\b)[^<>]*>/i

/** A quote of a text must be equal to the text, so no tag can be taken out of it. */
export function refuseHtml({
  value,
  issues,
}: z.core.ParsePayload<{ readonly type: string; readonly text?: string | undefined }>): void {
  if (value.text === undefined || !HTML_TYPE.test(value.type) || !HTML_TAG.test(value.text)) return
  issues.push({
    code: 'custom',
    input: value,
    path: ['text'],
    params: { code: 'html_not_text' },
    message: 'Send HTML as a file to POST /api/scopes/{scopeId}/files, or send its text without tags.',
  })
}
