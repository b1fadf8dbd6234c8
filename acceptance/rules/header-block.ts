/** Headers on which everything depends come once, and the block of them has an end. */
import { describe, expect, it } from 'vitest'
import { exchangeBytes, head } from '../http/bytes.ts'
import type { Reply } from '../http/exchange.ts'
import type { SubjectCall, GoodCall, Subject } from '../subject.ts'
import { pathOf, withHeaders } from '../subject.ts'
import { theTarget } from '../target.ts'

type Header = readonly [name: string, value: string]

export function describeHeaderBlock(subject: Subject, good: GoodCall): void {
  const { name } = subject.operation
  const sendWith = async (...more: readonly Header[]) => send(subject, await good(), more)

  describe(`${name}: 400 for a header that must be unique`, () => {
    // A proxy in front may go by one of the two, the service by the other.
    it.each(['Authorization', 'X-Tenant-ID', 'X-Tenant-API-Key'])(
      'refuses two of %s that differ',
      async (header) => {
        subject.expectProblem(
          await sendWith([header, 'Bearer one'], [header, 'Bearer two']),
          'duplicate_header',
        )
      },
    )

    it.each(['Authorization', 'X-Tenant-ID', 'X-Tenant-API-Key'])(
      'refuses two of %s that agree',
      async (header) => {
        const [, value = 'same'] = findHeader(await good(), header) ?? []
        const reply = await sendWith([header, value], [header.toUpperCase(), value])
        subject.expectProblem(reply, 'duplicate_header')
      },
    )

    it('refuses two of Content-Length', async () => {
      const { status, text } = await sendWith(['Content-Length', '2'], ['Content-Length', '2'])
      expect(status, text).toBe(400)
    })

    it('refuses Content-Length beside Transfer-Encoding', async () => {
      const reply = await sendWith(['Content-Length', '2'], ['Transfer-Encoding', 'chunked'])
      subject.expectProblem(reply, 'malformed_request')
    })
  })

  describe(`${name}: 431`, () => {
    it('refuses more than 16 KiB of headers', async () => {
      const reply = await sendWith(['X-Padding', 'a'.repeat(16_384)])
      subject.expectProblem(reply, 'headers_too_large')
    })

    it('reads a long header that stays within that', async () => {
      subject.expectLetIn(await subject.call(withHeaders(await good(), { 'x-padding': 'a'.repeat(12_000) })))
    })
  })
}

function findHeader({ headers = {} }: SubjectCall, name: string): Header | undefined {
  return Object.entries(headers).find(([each]) => each === name.toLowerCase())
}

/** The good call with these headers instead of its own of the same names. */
async function send({ operation }: Subject, call: SubjectCall, more: readonly Header[]): Promise<Reply> {
  const replaced = new Set(more.map(([header]) => header.toLowerCase()))
  const kept = Object.entries(call.headers ?? {}).filter(([header]) => !replaced.has(header))
  const headers: readonly Header[] = [['Host', 'localhost'], ['Connection', 'close'], ...kept, ...more]
  const [reply] = await exchangeBytes(
    theTarget().urls[0] ?? '',
    head(operation.method, pathOf(operation, call), headers),
  )
  if (!reply) throw new Error('The service closed the connection without an answer.')
  return reply
}
