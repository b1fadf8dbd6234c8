/** Reads a problem answer, and insists that all of it agrees with itself. */
import assert from 'node:assert/strict'
import { Problem, problems } from '@concord/contract'
import type { ProblemCode } from '@concord/contract'
import type { SocketAnswer } from './sockets.ts'

export interface InjectedReply {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: string
}

/** The code of the problem; throws where schema, status, media type or request id are not as they must be. */
export function codeOf(reply: InjectedReply | SocketAnswer | undefined): ProblemCode {
  assert(reply, 'there is no answer')
  const [status, text] = 'payload' in reply ? [reply.statusCode, reply.payload] : [reply.status, reply.body]
  const { headers } = reply
  assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
  const document = Problem.parse(JSON.parse(text))
  assert.equal(document.status, status)
  assert.equal(problems[document.code].status, status)
  assert.equal(document.request_id, headers['x-request-id'])
  return document.code
}
