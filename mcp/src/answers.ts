/** The result of a tool: the answer as structured content with the same as text, or an error that says what to do. */
import { ConcordError, ConcordProblem } from '@concord/client'
import type { CallToolResult } from '@modelcontextprotocol/server'

/** Clients hand the structured content to the model as well, so text that is not seen is shown there, too. */
export function answerOf(value: object): CallToolResult {
  const structuredContent = showUnseenIn(value)
  return { structuredContent, content: [{ type: 'text', text: jsonText(value) }] }
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
  return escapeUnseen(JSON.stringify(value))
}

/** Every text of the value with its unseen characters written out, as `\\u202e`. Names of fields are those of the contract. */
function showUnseen(value: unknown): unknown {
  if (typeof value === 'string') return escapeUnseen(value)
  if (Array.isArray(value)) return value.map(showUnseen)
  if (typeof value !== 'object' || value === null) return value
  return showUnseenIn(value)
}

function showUnseenIn(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, showUnseen(each)]))
}

function escapeUnseen(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t\r]|\p{Cf}/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      const unit = character.charCodeAt(at).toString(16).padStart(4, '0')
      return `\\u${unit}`
    }).join(''),
  )
}
