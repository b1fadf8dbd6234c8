/**
 * The hash that names a request to a language model: equal messages and an equal schema give the same hash, whoever sends them
 * and in whatever order a client writes keys. Stored and recorded answers are found by it.
 */
import { createHash } from 'node:crypto'
import type { ModelRequest } from '../domain/model.ts'

export interface ChatMessage {
  readonly role: string
  readonly content: string
}

/** The part of a chat completion that decides the answer. The name of the model is not in it. */
export interface ChatContent {
  readonly messages: readonly ChatMessage[]
  /** Null where the request asks for any JSON object, or for text. */
  readonly schemaName: string | null
  readonly schema: unknown
}

export function requestHash(request: ModelRequest): string {
  const { schemaName, schema } = request
  return chatHash({ messages: messagesOf(request), schemaName, schema })
}

/** The messages of a request whose schema is sent beside them. */
export function messagesOf({ system, user }: ModelRequest): ChatMessage[] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ]
}

/** 64 hexadecimal digits. */
export function chatHash({ messages, schemaName, schema }: ChatContent): string {
  const hashed = { messages: messages.map(({ role, content }) => ({ role, content })), schemaName, schema }
  return createHash('sha256').update(JSON.stringify(hashed, sortKeys)).digest('hex')
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
