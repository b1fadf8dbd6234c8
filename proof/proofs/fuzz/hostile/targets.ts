/** Hostile addresses: in the request line as a whole, in one segment of the path, in the query. */
import { strangeTexts } from './texts.ts'
import { twist, withQuery } from './twist.ts'
import type { Twist } from './twist.ts'

const segments: readonly string[] = [
  '%00',
  'a%00b',
  '%ff',
  '%ED%A0%80',
  '%C0%AF',
  '%2e%2e%2f%2e%2e%2f',
  '..',
  '.',
  '%2F',
  '%5c..%5c',
  '%',
  '%zz',
  '%u0041',
  'a;b=c',
  '%0d%0aX-Injected:%201',
  '%25%32%65',
  '*',
  '~root',
  '%27%20or%201=1%20--',
  '%24%7B7*7%7D',
  '%F0%9F%98%80',
  '\xe9\xff',
  ':id',
  '{tenantId}',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  '[object Object]'.replaceAll(' ', '%20'),
  'a'.repeat(121),
  'a'.repeat(201),
  'a'.repeat(5_000),
  '%41'.repeat(3_000),
  ...Object.values(strangeTexts).slice(0, 14).map(encodeURIComponent),
]

const wholes: readonly ((path: string) => string)[] = [
  () => '//',
  () => '///',
  () => '//evil.example/',
  () => '//evil.example:99999/',
  () => '//[',
  () => '/\\evil.example',
  () => '*',
  () => '?',
  () => '/?',
  () => '/#',
  () => '/.',
  () => '/..',
  () => '/%',
  () => '/a'.repeat(4_000),
  () => `/${'a'.repeat(17_000)}`,
  () => 'http://',
  () => 'http://[',
  () => 'https://evil.example/',
  () => 'javascript:alert(1)',
  (path) => `http://127.0.0.1${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `/%2e${path}`,
  (path) => `/%2e%2e${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replace(/^\/./, (start) => `/%${start.charCodeAt(1).toString(16)}`),
  (path) => path.toUpperCase(),
  (path) => `${path};x=1`,
  (path) => `${path}%20`,
  (path) => `${path}%00`,
  (path) => `${path}.json`,
  (path) => `${path}#fragment`,
  (path) => `${path}??`,
  (path) => path.slice(0, -1),
]

const queries: readonly string[] = [
  'limit=1&limit=2',
  'limit[]=1',
  'limit[a]=1',
  'limit=1;cursor=x',
  'limit=%00',
  'limit=%31',
  'limit=1%0d%0aX:1',
  'limit',
  'limit=',
  '=',
  '&&&&',
  '%',
  '%zz=%ff',
  'cursor=%ED%A0%80',
  '__proto__=1',
  '__proto__[admin]=1',
  'constructor=1',
  'constructor[prototype][a]=1',
  'toString=1',
  'hasOwnProperty=1',
  'api_key=x&tenant_id=x',
  `cursor=${'A'.repeat(500)}`,
  `cursor=${'A'.repeat(501)}`,
  `limit=${'9'.repeat(5_000)}`,
  `x=${'y'.repeat(15_000)}`,
  Array.from({ length: 1_000 }, (_, at) => `k${at}=1`).join('&'),
  Array.from({ length: 1_000 }, () => 'limit=1').join('&'),
]

const asQuery = (query: string): Twist =>
  twist(`query ${query.slice(0, 40)}`, ({ wire }) => withQuery(wire, query))

/** Any segment may be a parameter; the last one is where most of them stand. */
const asSegment = (segment: string): Twist =>
  twist(`segment ${segment.slice(0, 40)}`, ({ wire, draw }) => {
    const [path = '', ...query] = wire.target.split('?')
    const parts = path.split('/')
    const at = 1 + (draw % Math.max(1, parts.length - 1))
    return { ...wire, target: [parts.with(at, segment).join('/'), ...query].join('?') }
  })

const asWhole = (make: (path: string) => string): Twist =>
  twist(`target ${make('/path').slice(0, 40)}`, ({ wire }) => ({ ...wire, target: make(wire.target) }))

export const hostileTargets: readonly Twist[] = [
  ...segments.map(asSegment),
  ...wholes.map(asWhole),
  ...queries.map(asQuery),
]
