/** The responses of an operation: what it answers when all is well, and every problem. */
import { z } from 'zod'
import { eventSchemas } from '../events.ts'
import type { AnswerBody, DeprecatedAlias, Operation } from '../operation.ts'
import { problems } from '../problems.ts'
import type { Components, Json } from './components.ts'
import { answerHeaders } from './headers.ts'
import { problemContent, problemResponses, problemsOf } from './problems.ts'

const descriptions: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted and safe on disk; processed later.',
  503: 'Not serving; the body says what is missing, or is a problem when the route itself could not be reached.',
}

export function responsesOf(operation: Operation, components: Components, alias?: DeprecatedAlias): Json {
  const responses = problemResponses(operation, components)
  for (const [key, body] of Object.entries(operation.answers)) {
    const status = Number(key)
    responses.set(status, {
      description: descriptions[status] ?? 'Done.',
      headers: answerHeaders(operation, status, alias),
      content: { ...contentOf(operation, body, components), ...problemBeside(operation, status, components) },
      ...(body === 'event-stream' && { 'x-event-kinds': operation.events ?? [] }),
      ...(responses.has(status) && { 'x-problem-codes': codesOf(operation, status) }),
    })
  }
  if (operation.conditional) {
    responses.set(304, {
      description: 'Still as If-None-Match names it.',
      headers: answerHeaders(operation, 304, alias),
    })
  }
  return Object.fromEntries([...responses].toSorted(([a], [b]) => a - b))
}

function contentOf(operation: Operation, body: AnswerBody, components: Components): Json {
  if (body === 'file') return filesOf(operation, components)
  if (body === 'html') return { 'text/html': { schema: { type: 'string' } } }
  if (body === 'event-stream') return { 'text/event-stream': { schema: streamSchema(operation, components) } }
  return { 'application/json': { schema: components.schema(body, 'output') } }
}

function filesOf({ files = {} }: Operation, components: Components): Json {
  return Object.fromEntries(
    Object.entries(files).map(([media, form]) => [media, { schema: fileSchema(form, components) }]),
  )
}

function fileSchema(form: 'text' | 'binary' | z.ZodType, components: Components): Json {
  if (form === 'text') return { type: 'string' }
  return form === 'binary' ? { type: 'string', format: 'binary' } : components.schema(form, 'output')
}

/** A health route answers 503 in its own shape, but can also be kept from answering at all. */
function problemBeside(operation: Operation, status: number, components: Components): Json {
  const codes = codesOf(operation, status)
  return codes.length === 0 ? {} : { 'application/problem+json': problemContent(codes, components) }
}

function codesOf(operation: Operation, status: number) {
  return problemsOf(operation).filter((code) => problems[code].status === status)
}

/** OpenAPI 3.1 has no word for the parts of a stream; `contentSchema` is that of the `data` of each event. */
function streamSchema(operation: Operation, components: Components): Json {
  const each = (operation.events ?? []).flatMap((kind) => eventSchemas.get(kind) ?? [])
  return {
    type: 'string',
    description:
      'Server-sent events: `id` is the position to resume from, `event` the kind, `data` a CloudEvents 1.0 object. ' +
      'A comment comes every 15 seconds, `retry` is 3000. One `resync` event comes when the position that was asked ' +
      'for is no longer kept; its data is `{"head": position}`. A client that reads too slowly is disconnected.',
    contentMediaType: 'text/event-stream',
    contentSchema: components.schema(z.union(each), 'output'),
  }
}
