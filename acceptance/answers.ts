/** The rules for every answer that is no problem: its form, and the headers the contract promises. */
import type { AnswerBody, Operation } from '@concord/contract'
import { expect } from 'vitest'
import type { Reply } from './http/exchange.ts'

/** Sent only where they have something to say; the specs of their operations say when. */
const occasional: ReadonlySet<string> = new Set(['Idempotency-Replayed'])

/** Those that an answer of this status may have. */
export function mediaTypesOf({ answers, files = {} }: Operation, status: number): readonly string[] {
  const answer: AnswerBody | undefined = answers[status]
  if (answer === 'file') return Object.keys(files)
  if (answer === 'html') return ['text/html']
  return [answer === 'event-stream' ? 'text/event-stream' : 'application/json']
}

export function expectHeaders(operation: Operation, { status, headers }: Omit<Reply, 'text'>): void {
  const { answerHeaders = {}, noStore, conditional } = operation
  expect(headers['x-request-id']).toMatch(/^\S+$/)
  expect(mediaTypesOf(operation, status)).toContain(headers['content-type']?.split(';')[0])
  if (noStore) expect(headers['cache-control']).toBe('no-store')
  if (conditional) expect(headers['etag']).toMatch(/^"[\w-]+"$/)
  for (const name of Object.keys(answerHeaders).filter((each) => !occasional.has(each)))
    expect(headers, `${name} is promised`).toHaveProperty(name.toLowerCase())
}

/** Closed schemas refuse what they do not name, so passing one means that nothing else has left the service. */
export function parseAnswer({ answers }: Operation, reply: Reply): unknown {
  const body = answers[reply.status]
  if (body === undefined) throw new Error(`The contract has no answer ${reply.status}.`)
  if (typeof body === 'string') return reply.text
  const sent: unknown = JSON.parse(reply.text)
  expect(body.parse(sent)).toEqual(sent)
  return sent
}
