/** Requests that never become a call of an operation are answered like all others: by a problem. */
import { describe, expect, it } from 'vitest'
import { exchangeBytes, head } from '../../http/bytes.ts'
import { expectProblemDocument } from '../../problem-document.ts'
import { theTarget } from '../../target.ts'

const url = theTarget().urls[0] ?? ''
const close = ['Connection', 'close'] as const
const host = ['Host', 'localhost'] as const

const named = (id: string, ...more: readonly (readonly [string, string])[]) =>
  head('GET', '/livez', [host, ['X-Request-Id', id], ...more])

async function only(bytes: string) {
  const [reply, ...more] = await exchangeBytes(url, bytes)
  expect(more).toEqual([])
  if (!reply) throw new Error('The service closed the connection without an answer.')
  return reply
}

describe('transport: 400', () => {
  it.each([
    ['what is not HTTP', 'hello\r\n\r\n'],
    ['a method that does not exist', head('BREW', '/livez', [host, close])],
    ['a header without a colon', `GET /livez HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n`],
    ['a space before the colon', `GET /livez HTTP/1.1\r\nHost : localhost\r\n\r\n`],
    ['a folded header', `GET /livez HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n c\r\n\r\n`],
    ['a length that is no number', head('POST', '/admin/tenants', [host, close, ['Content-Length', '2x']])],
    ['a negative length', head('POST', '/admin/tenants', [host, close, ['Content-Length', '-1']])],
    [
      'a broken chunk',
      `${head('POST', '/admin/tenants', [host, close, ['Transfer-Encoding', 'chunked']])}zz\r\n`,
    ],
    [
      'two ways to say the length',
      head('POST', '/livez', [host, ['Content-Length', '2'], ['Transfer-Encoding', 'chunked']]),
    ],
    ['a request without a host', head('GET', '/livez', [close])],
  ])('refuses %s', async (_, bytes) => {
    expectProblemDocument(await only(bytes), 'malformed_request')
  })

  it('refuses two hosts', async () => {
    expectProblemDocument(
      await only(head('GET', '/livez', [host, ['Host', 'other'], close])),
      'duplicate_header',
    )
  })
})

describe('transport: 404', () => {
  it.each(['/', '//', '//[', '///', '/nowhere', '/.env', '/admin', '/api', '/internals', '/%E2%82%AC', '*'])(
    'finds nothing at %s',
    async (path) => {
      expectProblemDocument(await only(head('GET', path, [host, close])), 'not_found')
    },
  )
})

describe('transport: 404 with a body', () => {
  it.each([
    ['malformed', '{', 'application/json'],
    ['of another type', 'hello', 'text/plain'],
  ])('finds nothing, also when the body is %s', async (_, body, type) => {
    const headers = [host, close, ['Content-Type', type], ['Content-Length', String(body.length)]] as const
    expectProblemDocument(await only(head('POST', '/nowhere', headers) + body), 'not_found')
  })
})

describe('transport: hosts', () => {
  it.each(['', ':', 'a b', '[::1', 'elsewhere.example', 'localhost:99999'])(
    'does not fail over Host: %s',
    async (name) => {
      for (const path of ['/livez', '/nowhere', '/docs', '/docs/assets/scalar.js', '/docs/assets/']) {
        const { status } = await only(head('GET', path, [['Host', name], close]))
        expect({ path, failed: status >= 500 }).toEqual({ path, failed: false })
      }
    },
  )
})

describe('transport: expectations and upgrades', () => {
  it('answers as usual when it is expected to do something it does not know', async () => {
    const reply = await only(head('GET', '/livez', [host, ['Expect', 'miracles'], close]))
    expect(reply).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    expect(reply.headers['x-request-id']).toMatch(/^\S+$/)
  })

  it('stays with HTTP when asked for another protocol', async () => {
    const upgrade = [
      ['Upgrade', 'websocket'],
      ['Connection', 'close, Upgrade'],
    ] as const
    expect(await only(head('GET', '/livez', [host, ...upgrade]))).toMatchObject({
      status: 200,
      text: '{"status":"ok"}',
    })
  })
})

describe('transport: one connection', () => {
  it('answers requests in the order they came', async () => {
    const replies = await exchangeBytes(url, named('first') + named('second') + named('third', close))
    expect(replies.map((reply) => reply.headers['x-request-id'])).toEqual(['first', 'second', 'third'])
  })

  it('does not take the body of one request for the next request', async () => {
    const hidden = head('GET', '/nowhere', [host])
    const length = ['Content-Length', String(hidden.length)] as const
    const carrier = head('GET', '/livez', [host, length]) + hidden
    const replies = await exchangeBytes(url, carrier + head('GET', '/readyz', [host, close]))
    expect(replies.map((reply) => reply.status)).toEqual([200, 200])
  })
})
