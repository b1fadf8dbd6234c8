/** What a tool gives back: the answer as structured content with the same as text, or an error that says what to do. */
import { ConcordError, ConcordProblem } from '@concord/client'
import type { CallToolResult } from '@modelcontextprotocol/server'

export function answerOf(value: object): CallToolResult {
  return { structuredContent: { ...value }, content: [{ type: 'text', text: jsonText(value) }] }
}

/** A refusal of the service is for the model to read and mend; anything else of ours would be a fault of this program. */
export function errorOf(error: unknown): CallToolResult {
  if (!(error instanceof ConcordError)) throw error
  return { isError: true, content: [{ type: 'text', text: explain(error) }] }
}

function explain(error: ConcordError): string {
  if (!(error instanceof ConcordProblem)) return error.message
  const { code, title, detail, errors, requestId } = error
  const fields = errors.map(({ pointer, message }) => `${pointer}: ${message}`)
  return [`${title}. ${detail}`, ...fields, `(problem ${code}, request ${requestId})`].join('\n')
}

/**
 * JSON, so that no quote can pretend to be outside of its quotation marks. Characters that are not seen, by which text can
 * be hidden from a person and not from a model, are written as escapes.
 */
function jsonText(value: object): string {
  return JSON.stringify(value).replaceAll(/\p{Cf}/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      const unit = character.charCodeAt(at).toString(16).padStart(4, '0')
      return `\\u${unit}`
    }).join(''),
  )
}
