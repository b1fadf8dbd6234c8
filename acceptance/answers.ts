/** What holds for every answer that is no problem: its form, and the headers the contract promises. */
import type { Operation } from '@concord/contract'
import { expect } from 'vitest'
import type { Reply } from './http/exchange.ts'

export function expectHeaders({ answers, answerHeaders, noStore }: Operation, reply: Reply): void {
  expect(reply.headers['x-request-id']).toMatch(/^\S+$/)
  expect(reply.headers['content-type']).toMatch(
    answers[reply.status] === 'html' ? /^text\/html\b/ : /^application\/json\b/,
  )
  if (noStore) expect(reply.headers['cache-control']).toBe('no-store')
  for (const name of Object.keys(answerHeaders ?? {}))
    expect(reply.headers, `${name} is promised`).toHaveProperty(name.toLowerCase())
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
