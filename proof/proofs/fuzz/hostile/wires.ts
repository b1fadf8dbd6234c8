/** What is wrong below the level of a request: methods, versions, framing, line ends, clients that go away or dawdle. */
import { addHeader, withJson, withoutHeader } from '../wire.ts'
import type { Wire } from '../wire.ts'
import type { Twist } from './twist.ts'

const methods = [
  'OPTIONS',
  'HEAD',
  'TRACE',
  'PUT',
  'PATCH',
  'DELETE',
  'GET',
  'POST',
  'PROPFIND',
  'PURGE',
  'QUERY',
  'LOCK',
]
const notMethods = ['CONNECT', 'BREW', 'get', 'G\xcbT', 'GETGETGET', 'PRI', '', '__proto__']
const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1x', 'HTP/1.1', '']

const asMethod = (method: string): Twist => ({
  label: `method ${method}`,
  apply: ({ wire }) => ({ ...wire, method }),
})

const broken = (label: string, change: (wire: Wire) => Wire): Twist => ({
  label,
  apply: ({ wire }) => ({ ...change(wire), fresh: true }),
})

/** Two lengths, or a length and chunks: a proxy and we could disagree on where the next request begins. */
const framings: readonly Twist[] = [
  ['Content-Length', '-1'],
  ['Content-Length', '+5'],
  ['Content-Length', '1e3'],
  ['Content-Length', '0x10'],
  ['Content-Length', '5, 5'],
  ['Content-Length', '99999999999999999999'],
  ['Transfer-Encoding', 'gzip'],
  ['Transfer-Encoding', 'chunked, gzip'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Transfer-Encoding', 'xchunked'],
  ['Transfer-Encoding', ' chunked'],
].map(([name = '', value = '']) =>
  broken(`${name}: ${value}`, (wire) => ({
    ...addHeader(wire, name, value),
    body: Buffer.from('0\r\n\r\n'),
    framing: 'none',
  })),
)

const smuggled = Buffer.from('0\r\n\r\nGET /internals/health HTTP/1.1\r\nHost: x\r\n\r\n')

const confused: readonly Twist[] = [
  broken('length and chunks', (wire) => ({
    ...addHeader(addHeader(wire, 'Content-Length', '5'), 'Transfer-Encoding', 'chunked'),
    body: smuggled,
    framing: 'none',
  })),
  broken('two lengths', (wire) => ({
    ...addHeader(addHeader(wire, 'Content-Length', '0'), 'Content-Length', '5'),
    body: smuggled,
    framing: 'none',
  })),
  broken('a bad chunk size', (wire) => ({
    ...addHeader(wire, 'Transfer-Encoding', 'chunked'),
    body: Buffer.from('zz\r\nabc\r\n0\r\n\r\n'),
    framing: 'none',
  })),
  broken('a line feed alone', (wire) => addHeader(wire, 'X-Bare', 'a\nX-Injected: b')),
  broken('a carriage return alone', (wire) => addHeader(wire, 'X-Bare', 'a\rb')),
  broken('a folded header', (wire) => addHeader(wire, 'X-Folded', 'a\r\n b')),
  broken('an injected header', (wire) => addHeader(wire, 'X-Request-Id', 'a\r\nX-Tenant-ID: b')),
  broken('a NUL in a header', (wire) => addHeader(wire, 'X-Nul', 'a\0b')),
  broken('a space before the colon', (wire) => addHeader(wire, 'X-Space ', 'a')),
  broken('a header without a name', (wire) => addHeader(wire, '', 'a')),
  broken('a header name that is none', (wire) => addHeader(wire, 'X(Y)', 'a')),
  broken('a space in the target', (wire) => ({ ...wire, target: `${wire.target} x` })),
  broken('a NUL in the target', (wire) => ({ ...wire, target: `${wire.target}\0` })),
  broken('no target', (wire) => ({ ...wire, target: '' })),
  broken('TLS', (wire) => ({ ...wire, method: '\x16\x03\x01\x02', target: '', version: '', headers: [] })),
]

/** Nobody is left to read an answer; what counts is that the service lives on. */
const gone: readonly Twist[] = [
  {
    label: 'gone after the head',
    apply: ({ wire }) => ({
      ...addHeader(wire, 'Content-Length', '100'),
      body: Buffer.from('{'),
      framing: 'none',
      abandoned: true,
    }),
  },
  {
    label: 'gone in the middle of a large body',
    apply: ({ wire }) => ({
      ...addHeader(wire, 'Content-Length', '16000'),
      body: Buffer.alloc(8_000, 0x20),
      framing: 'none',
      abandoned: true,
    }),
  },
  { label: 'gone before the answer', apply: ({ wire }) => ({ ...wire, abandoned: true }) },
]

export const hostileWires: readonly Twist[] = [
  ...methods.map(asMethod),
  ...notMethods.map((method) => broken(`method ${method}`, (wire) => ({ ...wire, method }))),
  ...versions.map((version) => broken(`version ${version}`, (wire) => ({ ...wire, version }))),
  ...framings,
  ...confused,
  ...gone,
]

/** Longer than the service's own limit on the arrival of a request, which is what must end these. */
const PATIENCE_MS = 28_000

/** Sent beside all others, a few in a run: each takes as long as the service is willing to wait. */
export const slowWires: readonly Twist[] = [
  broken('a head that never ends', (wire) => ({
    ...wire,
    body: undefined,
    withheld: 3,
    timeoutMs: PATIENCE_MS,
  })),
  broken('a body that never comes', (wire) => ({
    ...addHeader(withoutHeader(withJson(wire, Buffer.alloc(0)), 'Content-Length'), 'Content-Length', '100'),
    framing: 'none',
    timeoutMs: PATIENCE_MS,
  })),
  broken('a chunk that never comes', (wire) => ({
    ...addHeader(withJson(wire, Buffer.from('5\r\nab')), 'Transfer-Encoding', 'chunked'),
    framing: 'none',
    timeoutMs: PATIENCE_MS,
  })),
]
