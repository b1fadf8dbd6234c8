/** Hostile bodies: what a parser, a validator or a database might trip over. */
import { gzipSync } from 'node:zlib'
import { withHeader, withJson } from '../wire.ts'
import { impossibleTexts, strangeTexts } from './texts.ts'
import { twist } from './twist.ts'
import type { Twist, TwistInput } from './twist.ts'

/** Marked only where the document says that a body is read; elsewhere one may be ignored. */
function refused(label: string, apply: Twist['apply']): Twist {
  return twist(label, (input) => {
    return input.operation.body ? { ...apply(input), mustBeRefused: true } : apply(input)
  })
}

function refusedBytes(label: string, bytes: (input: TwistInput) => Buffer | string): Twist {
  return refused(label, (input) => withJson(input.wire, Buffer.from(bytes(input))))
}

function asText(input: TwistInput): string {
  return JSON.stringify(input.body ?? { name: 'x' })
}

/** Before the closing brace of the valid body, in the words of JSON and not through an object. */
function injected(input: TwistInput, members: string): string {
  const text = asText(input)
  return text === '{}' ? `{${members}}` : `${text.slice(0, -1)},${members}}`
}

/** Puts the text where a text belongs: into one of the strings of the valid body, however deep it stands. */
function withText({ body, draw }: TwistInput, text: string): unknown {
  const strings = countStrings(body)
  if (strings === 0) return { ...(body as object | undefined), name: text }
  let left = draw % strings
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) => {
      if (typeof value !== 'string') return value
      left -= 1
      return left === -1 ? text : value
    }),
  )
}

function countStrings(value: unknown): number {
  if (typeof value === 'string') return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, each) => sum + countStrings(each), 0)
}

const impossible: readonly Twist[] = Object.entries(impossibleTexts).map(([label, text]) =>
  refusedBytes(`${label} in a string`, (input) => JSON.stringify(withText(input, text))),
)

const strange: readonly Twist[] = Object.entries(strangeTexts).map(([label, text]) =>
  twist(label, (input) => withJson(input.wire, Buffer.from(JSON.stringify(withText(input, text))))),
)

/** 1.2 MB: twelve bytes a character, as a legal document of 100,000 characters may come. */
const escaped = Buffer.from(`{"name":"${'\\ud83d\\ude00'.repeat(100_000)}"}`)
const emoji = Buffer.from(`{"name":"${'😀'.repeat(100_000)}"}`)

const tooLarge: readonly Twist[] = [
  refusedBytes('100,000 emoji', () => emoji),
  refusedBytes('1.2 MB of escapes', () => escaped),
  refusedBytes(
    'one byte over the limit',
    ({ operation }) => `{"name":"${'a'.repeat((operation.body?.maxBytes ?? 16_384) - 10)}"}`,
  ),
  refusedBytes('2 MB of spaces', () => Buffer.alloc(2_000_000, 0x20)),
  refused('1.2 MB in chunks', ({ wire }) => ({ ...withJson(wire, escaped), framing: 'chunked' })),
]

const nested: readonly Twist[] = [
  refusedBytes('10,000 open arrays', () => '['.repeat(10_000)),
  refusedBytes('7,000 closed arrays', () => '['.repeat(7_000) + ']'.repeat(7_000)),
  refusedBytes('2,000 objects in each other', () => `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`),
  refusedBytes('21 levels in a property', (input) =>
    injected(input, `"deep":${'['.repeat(21)}${']'.repeat(21)}`),
  ),
  refusedBytes('closing without opening', () => `${']'.repeat(5_000)}{}`),
]

const keys: readonly Twist[] = [
  refusedBytes('__proto__ as a key', (input) => injected(input, '"__proto__":{"admin":true}')),
  refusedBytes('escaped __proto__', (input) => injected(input, '"\\u005f_proto__":{"admin":true}')),
  refusedBytes('constructor as a key', (input) =>
    injected(input, '"constructor":{"prototype":{"admin":true}}'),
  ),
  refusedBytes('a key twice', (input) => injected(input, '"again":1,"again":2')),
  refusedBytes('a known key twice', (input) => {
    const [[name, value] = ['name', 'x']] = Object.entries(input.body ?? {})
    return `{${JSON.stringify(name)}:1,${JSON.stringify(name)}:${JSON.stringify(value)}}`
  }),
  refusedBytes('a key twice, once escaped', () => '{"name":"a","\\u006eame":"b"}'),
  refusedBytes('1,500 keys', () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`k${at}`, 1]))),
  ),
  refusedBytes('a long key', () => JSON.stringify({ ['k'.repeat(15_000)]: 1 })),
  refusedBytes('a lone surrogate as a key', (input) => injected(input, '"\\ud800":1')),
]

const notJson: readonly Twist[] = [
  refusedBytes('truncated', (input) => asText(input).slice(0, -1)),
  refusedBytes('two values', (input) => asText(input) + asText(input)),
  refusedBytes('NaN', (input) => injected(input, '"n":NaN')),
  refusedBytes('-Infinity', (input) => injected(input, '"n":-Infinity')),
  refusedBytes('1e999', (input) => injected(input, '"n":1e999')),
  refusedBytes('10,000 digits', (input) => injected(input, `"n":${'9'.repeat(10_000)}`)),
  refusedBytes('negative zero', (input) => injected(input, '"n":-0')),
  refusedBytes('single quotes', () => `{'name':'x'}`),
  refusedBytes('a comment', (input) => `/* x */${asText(input)}`),
  refusedBytes('a trailing comma', (input) => `${asText(input).slice(0, -1)},}`),
  refusedBytes('a byte order mark before it', (input) => `\ufeff${asText(input)}`),
  refusedBytes('UTF-16', (input) => Buffer.from(asText(input), 'utf16le')),
  refusedBytes('bytes that are not UTF-8', () => Buffer.from('{"name":"\xff\xfe\xc0\xaf"}', 'latin1')),
  refusedBytes('half a character', () => Buffer.from('{"name":"\xf0\x9f\x98"}', 'latin1')),
  refusedBytes('a surrogate as bytes', () => Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')),
  refusedBytes('NUL bytes', () => Buffer.alloc(64)),
  refusedBytes('a bare escape at the end', () => '{"name":"x\\'),
  refusedBytes('a form', () => 'name=x&name=y'),
  refusedBytes('an array around it', (input) => `[${asText(input)}]`),
  ...['null', 'true', '0', '"x"', '[]'].map((text) => refusedBytes(`the bare value ${text}`, () => text)),
]

const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json;charset=utf-8;charset=utf-7',
  'application/jsonx',
  'application/json, text/plain',
  'json',
  '*/*',
  'a'.repeat(2_000),
]

const typed = types.map((type) =>
  refused(`content type ${type.slice(0, 50)}`, (input) =>
    withHeader(withJson(input.wire, Buffer.from(asText(input))), 'Content-Type', type),
  ),
)

const encodings = ['gzip', 'br', 'deflate', 'gzip, gzip', 'x-unknown'].map((encoding) =>
  refused(`content encoding ${encoding}`, (input) =>
    withHeader(withJson(input.wire, gzipSync(asText(input))), 'Content-Encoding', encoding),
  ),
)

const framings: readonly Twist[] = [
  twist('a valid body in chunks', ({ wire }) =>
    wire.body ? { ...wire, framing: 'chunked' } : withJson(wire, Buffer.from('{}')),
  ),
  twist('an empty body', ({ wire }) => withJson(wire, Buffer.alloc(0))),
  twist('an empty body in chunks', ({ wire }) => {
    return { ...withJson(wire, Buffer.alloc(0)), framing: 'chunked' }
  }),
  twist('a body of spaces', ({ wire }) => withJson(wire, Buffer.from('  \n '))),
]

export const hostileBodies: readonly Twist[] = [
  ...impossible,
  ...strange,
  ...tooLarge,
  ...nested,
  ...keys,
  ...notJson,
  ...typed,
  ...encodings,
  ...framings,
]
