/** Hostile documents: texts at and beyond what is allowed, ids that want to be more than ids, keys that contradict. */
import { addHeaders, withHeader, withJson } from '../wire.ts'
import type { Wire } from '../wire.ts'
import { impossibleTexts, strangeTexts } from './texts.ts'
import { twist } from './twist.ts'
import type { Twist, TwistInput } from './twist.ts'

type Members = Readonly<Record<string, unknown>>

const LONGEST = 100_000

/** The valid body with its document, or with every document of its batch, changed. */
function changed({ wire, body }: TwistInput, change: (document: Members) => Members): Wire {
  const members = (body ?? {}) as Members
  const { documents } = members as { readonly documents?: readonly Members[] }
  const value = documents ? { documents: documents.map(change) } : change(members)
  return withJson(wire, Buffer.from(JSON.stringify(value)))
}

function withMember(label: string, name: string, value: unknown): Twist {
  return twist(label, (input) => changed(input, (document) => ({ ...document, [name]: value })))
}

function refused({ label, apply }: Twist): Twist {
  return twist(label, (input) => ({ ...apply(input), mustBeRefused: true }))
}

const longTexts: readonly Twist[] = [
  withMember('100,000 emoji as text', 'text', '😀'.repeat(LONGEST)),
  withMember('100,000 line ends as text', 'text', '\n'.repeat(LONGEST)),
  withMember('100,000 combining marks as text', 'text', '\u0301'.repeat(LONGEST)),
  withMember('100,000 quotes as text', 'text', '"'.repeat(LONGEST)),
  withMember('100,000 control characters as text', 'text', '\u0001'.repeat(LONGEST)),
  withMember('50,000 open brackets as text', 'text', '[('.repeat(25_000)),
  withMember('a text of numbers', 'text', '9'.repeat(LONGEST)),
  refused(withMember('100,001 emoji as text', 'text', '😀'.repeat(LONGEST + 1))),
  refused(withMember('100,001 letters as text', 'text', 'a'.repeat(LONGEST + 1))),
  refused(withMember('no text', 'text', '')),
  refused(withMember('an array as text', 'text', Array<string>(1_000).fill('a'))),
]

const impossible = Object.entries(impossibleTexts).flatMap(([label, text]) => [
  refused(withMember(`${label} at the end of a long text`, 'text', 'a'.repeat(90_000) + text)),
  refused(withMember(`${label} in a document id`, 'document_id', text)),
])

/** Allowed as ids, whatever they look like; what they are put into must bear them. */
const strangeIds: readonly Twist[] = [
  '.',
  '..',
  '../../admin/tenants',
  '/',
  '//',
  '%2F',
  '%',
  '?a=1#b',
  'a b',
  '__proto__',
  '*',
  '>',
  '$JS.API.STREAM.DELETE.x',
  '\r\nX-Injected: 1',
  '\r\n\r\ndata: injected\n\n',
  `'; delete from documents; --`,
  ...Object.values(strangeTexts).filter((text) => text !== '' && Array.from(text).length <= 200),
  '😀'.repeat(200),
].map((id) => withMember(`document id ${id.slice(0, 30)}`, 'document_id', id))

const KEY = 'Idempotency-Key'

const withKeyInBody = (input: TwistInput, key: string): Wire =>
  changed(input, (document) => ({ ...document, idempotency_key: key }))

const keys: readonly Twist[] = [
  twist('two different idempotency keys', (input) => withHeader(withKeyInBody(input, 'a'), KEY, 'b')),
  twist('one idempotency key for all', (input) => withKeyInBody(input, 'the same for all')),
  twist('an idempotency key twice', ({ wire }) => addHeaders(wire, [KEY, 'a'], [KEY, 'b'])),
  ...['', ' ', '\xff\xfe', 'a'.repeat(201), 'a'.repeat(8_000), '%00', '{"a":1}'].map((key) =>
    twist(`idempotency key ${key.slice(0, 20)}`, ({ wire }) => withHeader(wire, KEY, key)),
  ),
]

const batches: readonly Twist[] = [
  batchOf('a document a hundred times', 100, (document) => document),
  batchOf('a hundred versions of a document', 100, (document, at) => ({
    ...document,
    document_id: 'the-same',
    text: `version ${at}`,
  })),
  batchOf('one idempotency key for a hundred', 100, (document, at) => ({
    ...document,
    idempotency_key: 'the same for a hundred',
    text: `text ${at}`,
  })),
  batchOf('a hundred scopes that do not exist', 100, (document, at) => ({
    ...document,
    scope_id: `nowhere-${at}`,
  })),
  refused(batchOf('101 documents', 101, (document) => document)),
  batchOf('ten of the longest texts', 10, (document) => ({ ...document, text: '😀'.repeat(LONGEST) })),
]

/** On an operation that takes one document this is a body that breaks the schema. */
function batchOf(label: string, count: number, make: (document: Members, at: number) => Members): Twist {
  return twist(label, ({ wire, body }) => {
    const { documents: [first = {}] = [body as Members] } = body as { readonly documents?: Members[] }
    const small = { ...first, text: 'a short text', name: 'n' }
    const documents = Array.from({ length: count }, (_, at) => make(small, at))
    return withJson(wire, Buffer.from(JSON.stringify({ documents })))
  })
}

/** Written to be slow to read: chunks, escapes, spaces, all within the limit. */
const forms: readonly Twist[] = [
  twist('a long text in chunks', (input) => {
    const wire = changed(input, (document) => ({ ...document, text: 'ä'.repeat(LONGEST) }))
    return { ...wire, framing: 'chunked' }
  }),
  twist('a million spaces around a document', ({ wire, body }) =>
    withJson(wire, Buffer.from(' '.repeat(1_000_000) + JSON.stringify(body) + ' '.repeat(100_000))),
  ),
  twist('gone in the middle of a document', (input) => {
    const wire = changed(input, (document) => ({ ...document, text: 'a'.repeat(90_000) }))
    return { ...wire, withheld: 60_000, abandoned: true }
  }),
]

export const hostileDocuments: readonly Twist[] = [
  ...longTexts,
  ...impossible,
  ...strangeIds,
  ...keys,
  ...batches,
  ...forms,
]
