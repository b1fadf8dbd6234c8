/** Hostile headers: repeated, contradictory, overlong, carrying what belongs elsewhere. */
import { addHeaders, withHeader, withoutHeader } from '../wire.ts'
import { twist } from './twist.ts'
import type { Twist } from './twist.ts'

const replaced: readonly (readonly [name: string, value: string])[] = [
  ...[
    '*',
    '*/*;q=0',
    'text/html',
    'image/png',
    ',,,',
    ';;;',
    'application/json;q=1.5',
    'application/*;q=0.0',
    '\xff',
    '/',
  ].map((value) => ['Accept', value] as const),
  ['Accept', 'a/b,'.repeat(2_000)],
  ['Accept-Encoding', 'gzip;q=1, *;q=0'],
  ['Accept-Charset', 'utf-7'],
  ...[
    '',
    ' ',
    'a b',
    'a\tb',
    '\xe9',
    '{"a":1}',
    '${jndi:ldap://x}',
    '../..',
    '%0d%0aX: 1',
    'a'.repeat(128),
    'a'.repeat(129),
  ].map((value) => ['X-Request-Id', value] as const),
  ['X-Request-Id', 'a'.repeat(10_000)],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-00'],
  ['traceparent', 'x'.repeat(5_000)],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-Proto', 'https://evil.example'],
  ['X-Original-URL', '/internals/health'],
  ['Forwarded', 'for=_gazonk'],
  ['Host', ''],
  ['Host', 'evil.example'],
  ['Host', 'a b'],
  ['Host', '[::1'],
  ['Expect', '100-continue'],
  ['Expect', '200-ok'],
  ['Connection', 'Upgrade'],
  ['Connection', 'close'],
  ['Connection', 'Authorization, Host'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['Range', 'bytes=0-0'],
  ['If-None-Match', '*'],
  ['If-Match', '"x"'],
  ['Cookie', 'session=admin'],
  ['Origin', 'null'],
  ['Content-Type', ''],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity'],
  ['X-Tenant-ID', ''],
  ['X-Tenant-ID', '\xff\xfe'],
  ['X-Tenant-ID', `' or 1=1 --`],
  ['X-Tenant-ID', '00000000-0000-0000-0000-000000000000'],
  ['X-Tenant-ID', 'a'.repeat(8_000)],
  ['X-Tenant-API-Key', ''],
  ['X-Tenant-API-Key', 'ck_t_'],
  ['X-Tenant-API-Key', 'a'.repeat(8_000)],
  ...[
    '',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Basic YTpi',
    'bearer x',
    'Bearer \xff',
    `Bearer ${'a'.repeat(8_000)}`,
    'Bearer __proto__',
  ].map((value) => ['Authorization', value] as const),
]

const repeated = [
  'Authorization',
  'X-Tenant-ID',
  'X-Tenant-API-Key',
  'Content-Type',
  'Accept',
  'X-Request-Id',
  'traceparent',
  'Host',
]

const asReplaced = ([name, value]: readonly [string, string]): Twist =>
  twist(`${name}: ${value.slice(0, 40)}`, ({ wire }) => withHeader(wire, name, value))

const asRepeated = (name: string): Twist =>
  twist(`${name} twice`, ({ wire }) =>
    addHeaders(wire, [name, 'application/json'], [name, 'application/xml']),
  )

const blocks: readonly Twist[] = [
  twist('1,900 headers', ({ wire }) =>
    addHeaders(wire, ...Array.from({ length: 1_900 }, (_, at) => [`x${at}`, '1'] as const)),
  ),
  twist('a header of 15 KB', ({ wire }) => addHeaders(wire, ['X-Long', 'a'.repeat(15_000)])),
  twist('a header of 20 KB', ({ wire }) => {
    return { ...addHeaders(wire, ['X-Long', 'a'.repeat(20_000)]), fresh: true }
  }),
  twist('a long header name', ({ wire }) => addHeaders(wire, ['X'.repeat(4_000), '1'])),
  twist('headers named like properties', ({ wire }) =>
    addHeaders(wire, ['__proto__', '1'], ['constructor', '1']),
  ),
  twist('no headers but the host', ({ wire }) => ({ ...wire, headers: [['Host', 'x']] })),
  twist('no host', ({ wire }) => ({ ...withoutHeader(wire, 'Host'), fresh: true })),
]

export const hostileHeaders: readonly Twist[] = [
  ...replaced.map(asReplaced),
  ...repeated.map(asRepeated),
  ...blocks,
]
