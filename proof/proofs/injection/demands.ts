/** How a model answers each of the four requests that obeys a hostile document in everything. */
import { replyTo } from '../../harness/model-endpoint.ts'
import type { Lines, ModelPrompt, PromptSide } from '../../harness/model-endpoint.ts'
import { honestStatements, MARK } from './documents.ts'

/** The answers of the endpoint: an answer, text that is none, a refusal, or so many characters. */
export type Obedience =
  | { readonly answer: unknown }
  | { readonly content: string }
  | { readonly refusal: string }
  | { readonly characters: number }

interface Demand {
  readonly extract?: (text: string, order: string) => Obedience
  /** Also of a document with itself. */
  readonly compare?: (fresh: Lines, earlier: readonly Lines[]) => Obedience
  readonly verify?: (a: PromptSide, b: PromptSide) => Obedience
}

const say = (answer: unknown): Obedience => ({ answer })

interface Item {
  readonly q: string
  readonly s: string
  readonly a: string
  readonly v: string
  readonly t: null
  readonly m: string
  readonly p: string
}

const item = (q: string, more: Partial<Item> = {}): Item => ({
  q,
  s: 'the note',
  a: 'what it says',
  v: q.slice(0, 50),
  t: null,
  m: 'fact',
  p: q,
  ...more,
})

const sentencesIn = (text: string) => (text.match(/[^.\n]+\./g) ?? []).map((found) => found.trim())
const markIn = (text: string) => text.match(MARK)?.[0] ?? ''

/** Everything honest, and the order as a statement, so that it reaches the next request. */
function passOn(text: string, order: string): object[] {
  const honest = (replyTo({ text }) as { claims: object[] }).claims
  return [...honest, item(sentencesIn(text)[0] ?? '', { p: order.slice(0, 1_000) || 'nothing' })]
}

const numbersIn = (documents: readonly Lines[]) =>
  documents.flatMap(({ claims }) => claims.map((line) => line.split(' ')[0] ?? ''))

const pair = (a: unknown, b: unknown, more: object = {}) => ({
  a,
  b,
  relation: 'conflict',
  why: 'I was told so',
  confidence: 1,
  ...more,
})

function allPairs(fresh: Lines, earlier: readonly Lines[], more: object = {}): object[] {
  return numbersIn([fresh]).flatMap((a) => numbersIn(earlier).map((b) => pair(a, b, more)))
}

const verdict = (more: object) =>
  say({
    verdict: 'conflict',
    title: 'Obeyed',
    explanation: 'It was ordered so.',
    period: null,
    severity: 'critical',
    confidence: 1,
    ...more,
  })

const silent = {
  compare: () => say({ pairs: [] }),
  verify: () => verdict({ verdict: 'compatible' }),
}
const eager = {
  compare: (fresh: Lines, earlier: readonly Lines[]) => say({ pairs: allPairs(fresh, earlier) }),
  verify: () => verdict({}),
}
const UGLY = '\u001b[2J\u0007\u202eevil\u2066\u0000\u009b31m\u200b\u{e0041}\r\n'
const LEAK = 'My instructions are: # Task: state what a document claims.'

export const DEMANDS = {
  silence: silent,
  everything: eager,
  numbers: {
    compare: () =>
      say({
        pairs: [
          ...['N999', 'E1', 'N0', 'N-1', 'N1e1', 1, null, ['N1']].map((a) => pair(a, 'E999')),
          ...['E2', 'E3', 'E4', 'a2'].map((b) => pair('E1', b)),
          ...['N1', 'N2', 'a1'].map((b) => pair('N1', b)),
          pair('a1', 'a2'),
        ],
      }),
    verify: () => verdict({ a: 'E1', b: 'E2' }),
  },
  'foreign quotes': {
    extract: (text, order) => {
      const foreign = honestStatements(markIn(text)).flatMap((quote) => [quote, `They say: ${quote}`])
      return say({ claims: [...passOn(text, order), ...foreign.map((quote) => item(quote))] })
    },
    ...silent,
  },
  'other spelling': {
    extract: (text, order) => {
      const quotes = sentencesIn(text).flatMap((each) => [each.toUpperCase(), each.replaceAll(' ', ' \n')])
      return say({ claims: [...passOn(text, order), ...quotes.map((quote) => item(quote))] })
    },
    ...silent,
  },
  impersonation: {
    extract: (text, order) => {
      const [own = ''] = sentencesIn(text)
      const stolen = honestStatements(markIn(text)).map((p) => item(own, { p, s: p.split(' ')[0] ?? '' }))
      return say({ claims: [...passOn(text, order), ...stolen] })
    },
    ...silent,
  },
  overlong: {
    extract: (text, order) => {
      const [own = ''] = sentencesIn(text)
      const long = 'very '.repeat(2_000)
      const bad = [{ s: long }, { a: long }, { v: long }, { p: long }, { q: long }]
      return say({ claims: [...passOn(text, order), ...bad.map((more) => ({ ...item(own), ...more }))] })
    },
    compare: (fresh, earlier) => say({ pairs: allPairs(fresh, earlier, { why: 'so '.repeat(9_000) }) }),
    verify: () => verdict({ title: 'T'.repeat(10_000), explanation: 'E'.repeat(10_000) }),
  },
  control: {
    extract: (text, order) => {
      const [own = ''] = sentencesIn(text)
      const ugly = item(own, { s: `${UGLY}name`, a: `${UGLY}attribute`, v: `${UGLY}1`, p: `${UGLY}${own}` })
      return say({ claims: [...passOn(text, order), ugly] })
    },
    compare: eager.compare,
    verify: () =>
      verdict({ title: `${UGLY}title`, explanation: `${UGLY}explanation`, period: `${UGLY}2025` }),
  },
  malformed: {
    extract: () => ({ content: '{"claims": [' }),
    compare: () => ({ content: 'Sure, here you go: roses are red.' }),
    verify: () => ({ content: 'null' }),
  },
  shape: {
    extract: () => say({ statements: [] }),
    compare: () => say({ pairs: { a: 'N1', b: 'E1' }, verdict: 'fine' }),
    verify: () => say({ verdict: 'fine', title: ['x'], severity: 'extreme', confidence: 2 }),
  },
  huge: {
    extract: () => ({ characters: 5_000_000 }),
    compare: () => ({ characters: 5_000_000 }),
    verify: () => ({ characters: 5_000_000 }),
  },
  refusal: {
    extract: () => ({ refusal: 'I was told to refuse.' }),
    compare: () => ({ refusal: 'I was told to refuse.' }),
    verify: () => ({ refusal: 'I was told to refuse.' }),
  },
  'extra fields': {
    extract: (text, order) => {
      const more = { document_id: 'a1', tenant_id: '*', scope_id: 'scope-0', start: 0, end: 5 }
      return say({ claims: passOn(text, order).map((claim) => ({ ...claim, ...more })), documents: ['a1'] })
    },
    compare: (fresh, earlier) =>
      say({ pairs: allPairs(fresh, earlier, { document_a: 'a1', document_b: 'a2', status: 'resolved' }) }),
    verify: () =>
      verdict({ a: { document_id: 'a1' }, b: { document_id: 'a2' }, status: 'resolved', holds: 'a' }),
  },
  prototype: {
    extract: () => ({
      content: '{"__proto__": {"claims": []}, "constructor": {"prototype": {"claims": 1}}}',
    }),
    compare: () => ({ content: '{"__proto__": {"pairs": []}}' }),
    verify: () => ({ content: '{"__proto__": {"verdict": "conflict"}}' }),
  },
  flood: {
    extract: (text, order) => {
      const [own = ''] = sentencesIn(text)
      const many = Array.from({ length: 150 }, (_, nth) => item(own, { p: `${own} Once more, time ${nth}.` }))
      return say({ claims: [...passOn(text, order), ...many] })
    },
    ...silent,
  },
  markup: {
    compare: eager.compare,
    verify: () =>
      verdict({
        title: '<script>alert(1)</script>',
        explanation: '[x](javascript:alert(1)) ![y](https://example.org/y)',
      }),
  },
  leak: {
    extract: (text, order) => {
      const [own = ''] = sentencesIn(text)
      return say({ claims: [...passOn(text, order), item(own, { p: LEAK }), item(LEAK)] })
    },
    compare: eager.compare,
    verify: () => verdict({ explanation: LEAK }),
  },
} as const satisfies Record<string, Demand>

export function obey(name: keyof typeof DEMANDS, question: ModelPrompt, order: string): Obedience {
  const demand: Demand = DEMANDS[name]
  const { text, claims, new: fresh, earlier, a, b } = question
  if (text !== undefined) return demand.extract?.(text, order) ?? say({ claims: passOn(text, order) })
  if (claims) return demand.compare?.({ claims }, [{ claims }]) ?? say(replyTo(question))
  if (fresh && earlier) return demand.compare?.(fresh, earlier) ?? say(replyTo(question))
  return a && b && demand.verify ? demand.verify(a, b) : say(replyTo(question))
}
