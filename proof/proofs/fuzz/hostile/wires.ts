/** The faults below the level of a request: methods, versions, framing, line ends, clients that go away or dawdle. */
import type { Header } from '../../../harness/http.ts'
import { addHeaders, withJson, withoutHeader } from '../wire.ts'
import type { Wire } from '../wire.ts'
import { twist } from './twist.ts'
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

const broken = (label: string, change: (wire: Wire) => Wire): Twist =>
  twist(label, ({ wire }) => ({ ...change(wire), fresh: true }))

/** The headers say how long the body is, right or wrong. */
const framed = (wire: Wire, body: string | Buffer, ...headers: Header[]): Wire => {
  return { ...addHeaders(wire, ...headers), body: Buffer.from(body), framing: 'none' }
}

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
  broken(`${name}: ${value}`, (wire) => framed(wire, '0\r\n\r\n', [name, value])),
)

const smuggled = '0\r\n\r\nGET /internals/health HTTP/1.1\r\nHost: x\r\n\r\n'

const CHUNKED: Header = ['Transfer-Encoding', 'chunked']

const confused: readonly Twist[] = [
  broken('length and chunks', (wire) => framed(wire, smuggled, ['Content-Length', '5'], CHUNKED)),
  broken('two lengths', (wire) => framed(wire, smuggled, ['Content-Length', '0'], ['Content-Length', '5'])),
  broken('a bad chunk size', (wire) => framed(wire, 'zz\r\nabc\r\n0\r\n\r\n', CHUNKED)),
  ...Object.entries({
    'a line feed alone': ['X-Bare', 'a\nX-Injected: b'],
    'a carriage return alone': ['X-Bare', 'a\rb'],
    'a folded header': ['X-Folded', 'a\r\n b'],
    'an injected header': ['X-Request-Id', 'a\r\nX-Tenant-ID: b'],
    'a NUL in a header': ['X-Nul', 'a\0b'],
    'a space before the colon': ['X-Space ', 'a'],
    'a header without a name': ['', 'a'],
    'a header name that is none': ['X(Y)', 'a'],
  } satisfies Record<string, Header>).map(([label, header]) =>
    broken(label, (wire) => addHeaders(wire, header)),
  ),
  broken('a space in the target', (wire) => ({ ...wire, target: `${wire.target} x` })),
  broken('a NUL in the target', (wire) => ({ ...wire, target: `${wire.target}\0` })),
  broken('no target', (wire) => ({ ...wire, target: '' })),
  broken('TLS', (wire) => ({ ...wire, method: '\x16\x03\x01\x02', target: '', version: '', headers: [] })),
]

const leaving = (label: string, change: (wire: Wire) => Wire): Twist =>
  twist(label, ({ wire }) => ({ ...change(wire), abandoned: true }))

/** Nobody is left to read a response; what counts is that the service lives on. */
const gone: readonly Twist[] = [
  leaving('gone after the head', (wire) => framed(wire, '{', ['Content-Length', '100'])),
  leaving('gone in the middle of a large body', (wire) =>
    framed(wire, Buffer.alloc(8_000, 0x20), ['Content-Length', '16000']),
  ),
  leaving('gone before the answer', (wire) => wire),
]

export const hostileWires: readonly Twist[] = [
  ...methods.map((method) => twist(`method ${method}`, ({ wire }) => ({ ...wire, method }))),
  ...notMethods.map((method) => broken(`method ${method}`, (wire) => ({ ...wire, method }))),
  ...versions.map((version) => broken(`version ${version}`, (wire) => ({ ...wire, version }))),
  ...framings,
  ...confused,
  ...gone,
]

/** Longer than the service's own limit on the arrival of a request, which is what must end these. */
const TIMEOUT_MS = 73_000

const slow = (label: string, change: (wire: Wire) => Wire): Twist =>
  broken(label, (wire) => ({ ...change(wire), timeoutMs: TIMEOUT_MS }))

/** Sent beside all others, a few in a run: each takes as long as the service is willing to wait. */
export const slowWires: readonly Twist[] = [
  slow('a head that never ends', (wire) => ({ ...wire, body: undefined, withheld: 3 })),
  slow('a body that never comes', (wire) => {
    return framed(withoutHeader(withJson(wire, Buffer.alloc(0)), 'Content-Length'), '', [
      'Content-Length',
      '100',
    ])
  }),
  slow('a chunk that never comes', (wire) => framed(withJson(wire, Buffer.alloc(0)), '5\r\nab', CHUNKED)),
]
