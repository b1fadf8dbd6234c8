/** The body of a chat completion, in the dialect that a model understands. */
import type { ModelRequest } from '../domain/model.ts'
import { messagesOf } from '../model/request-hash.ts'

export type AnswerFormat = 'json_schema' | 'json_object'

/** Parameters that some models accept and others refuse. */
export interface Dialect {
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens'
  readonly hasTemperature: boolean
}

/** What most servers understand. */
export const COMMON_DIALECT: Dialect = { tokenLimit: 'max_tokens', hasTemperature: true }

export function chatBody(
  request: ModelRequest,
  model: string,
  format: AnswerFormat,
  dialect: Dialect,
): string {
  return JSON.stringify({
    model,
    messages: format === 'json_schema' ? messagesOf(request) : messagesWithSchema(request),
    [dialect.tokenLimit]: request.maxOutputTokens,
    ...(dialect.hasTemperature && { temperature: 0 }),
    response_format: format === 'json_schema' ? schemaFormat(request) : { type: 'json_object' },
  })
}

function schemaFormat({ schemaName: name, schema }: ModelRequest): object {
  return { type: 'json_schema', json_schema: { name, strict: true, schema } }
}

/** An endpoint that cannot be held to a schema is told it. */
function messagesWithSchema(request: ModelRequest): object[] {
  const schema = JSON.stringify(request.schema)
  const system = `${request.system}\n\nAnswer with one JSON object of this JSON schema, and nothing else:\n${schema}`
  return messagesOf({ ...request, system })
}

/** The dialect to use instead, where a model names a parameter that it does not accept. */
export function otherDialect(dialect: Dialect, refusedParameter: string | null): Dialect | undefined {
  if (refusedParameter === 'max_tokens' && dialect.tokenLimit === 'max_tokens')
    return { ...dialect, tokenLimit: 'max_completion_tokens' }
  if (refusedParameter === 'temperature' && dialect.hasTemperature)
    return { ...dialect, hasTemperature: false }
  return undefined
}
