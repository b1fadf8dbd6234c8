import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparisonRequest, readProposals } from '../../src/model/compare.ts'
import type { ComparedDocument } from '../../src/model/compare.ts'
import { readExtraction } from '../../src/model/extract.ts'
import { toClaim } from '../../src/model/normalise.ts'
import { readVerdict } from '../../src/model/verify.ts'
import { item } from './support/answering.ts'

function document(id: string, values: readonly string[]): ComparedDocument {
  const facts = values.map((value, index) => {
    const extracted = {
      quote: value,
      subject: 'the mill',
      attribute: 'rent',
      value,
      period: null,
      modality: 'fact' as const,
      statement: `The rent is ${value}.`,
    }
    return { id: `${id}-${index}`, claim: toClaim(value, extracted, [0, value.length], null) }
  })
  return { id, title: 'Lease', date: null, facts }
}

const fresh = document('secret-new', ['EUR 900', 'EUR 700'])
const earlier = [document('secret-a', ['EUR 950']), document('secret-b', ['EUR 900', 'EUR 800'])]
const pair = (a: unknown, b: unknown, more: object = {}) => ({
  a,
  b,
  relation: 'conflict',
  why: 'they differ',
  confidence: 0.9,
  ...more,
})
const proposalsIn = (pairs: unknown) => readProposals(JSON.stringify({ pairs }), fresh, earlier)

describe('an answer to extraction', () => {
  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"claims":{}}',
    '{"claims":"all"}',
    '{"claims":[',
    'x'.repeat(2_000_001),
  ])('that is not of the form asked for is refused (%#)', (content) =>
    expect(readExtraction(content, 100)).toBeNull(),
  )

  it('with more claims than the text can hold is refused', () => {
    const claims = Array.from({ length: 500 }, () => item({ q: 'x' }))
    expect(readExtraction(JSON.stringify({ claims }), 10)).toBeNull()
    expect(readExtraction(JSON.stringify({ claims }), 400)?.claims).toHaveLength(500)
  })

  it('loses items with missing, mistyped, nested or huge fields, and counts them', () => {
    const good = item({ q: 'x' })
    const bad: unknown[] = [
      null,
      7,
      [],
      'text',
      {},
      { ...good, q: 3 },
      { ...good, p: { text: 'nested' } },
      { ...good, m: 'order' },
      { ...good, m: '__proto__' },
      { ...good, v: ['EUR 900'] },
      { ...good, s: 'a'.repeat(401) },
      { ...good, p: 'a'.repeat(1201) },
      { ...good, v: ' \n ' },
    ]
    const read = readExtraction(JSON.stringify({ claims: [...bad, good] }), 100)
    expect(read?.claims).toHaveLength(1)
    expect(read?.dropped).toBe(bad.length)
  })

  it('cannot reach a prototype', () => {
    const content = '{"__proto__":{"claims":[]},"constructor":{"prototype":{"polluted":1}}}'
    expect(readExtraction(content, 10)).toBeNull()
    const inherited =
      '{"claims":[{"__proto__":{"q":"x","s":"s","a":"a","v":"v","t":null,"m":"fact","p":"p"}}]}'
    expect(readExtraction(inherited, 10)).toEqual({ claims: [], dropped: 1 })
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('keeps no control characters, line breaks or unknown fields in what it states', () => {
    const claims = [{ ...item({ q: 'x', p: 'One\u0007 \n\u001b[2J line.' }), id: 'D7', tenant: 'other' }]
    const read = readExtraction(JSON.stringify({ claims }), 10)
    expect(read?.claims[0]?.statement).toBe('One [2J line.')
    expect(Object.keys(read?.claims[0] ?? {})).not.toContain('tenant')
  })

  it('keeps nothing that hides or turns words, but what joins letters', () => {
    const claims = [item({ q: 'x', p: '\u202eOne\u2066 li\u200bne\u{e0041} \u0645\u06cc\u200c\u062e.' })]
    const read = readExtraction(JSON.stringify({ claims }), 10)
    expect(read?.claims[0]?.statement).toBe('One line \u0645\u06cc\u200c\u062e.')
  })

  it('may stand in a code fence', () => {
    expect(readExtraction('```json\n{"claims": []}\n```', 10)).toEqual({ claims: [], dropped: 0 })
  })

  it('of any kind never throws', () => {
    fc.assert(
      fc.property(fc.json(), (content) => {
        expect(() => readExtraction(content, 10)).not.toThrow()
      }),
    )
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (claims) => {
        expect(readExtraction(JSON.stringify({ claims }), 10)).not.toBeNull()
      }),
    )
  })
})

describe('an answer to comparison', () => {
  it('is read back to the ids of the facts, which the model never saw', () => {
    const { user } = comparisonRequest(fresh, earlier)
    expect(user).not.toContain('secret')
    expect(JSON.parse(user)).toEqual({
      new: {
        title: 'Lease',
        date: null,
        claims: ['N1 fact The rent is EUR 900.', 'N2 fact The rent is EUR 700.'],
      },
      earlier: [
        { title: 'Lease', date: null, claims: ['E1 fact The rent is EUR 950.'] },
        {
          title: 'Lease',
          date: null,
          claims: ['E2 fact The rent is EUR 900.', 'E3 fact The rent is EUR 800.'],
        },
      ],
    })
    expect(proposalsIn([pair('N2', 'E3')])?.proposals).toEqual([
      { a: 'secret-new-1', b: 'secret-b-1', relation: 'conflict', confidence: 0.9, why: 'they differ' },
    ])
  })

  it('with numbers that were not offered, exchanged or forged is dropped and counted', () => {
    const bad = [
      pair('N3', 'E1'),
      pair('N1', 'E4'),
      pair('E1', 'N1'),
      pair('N0', 'E1'),
      pair('N1.0', 'E1'),
      pair('N1e0', 'E1'),
      pair('secret-new-0', 'secret-a-0'),
      pair(1, 1),
      pair('N1', 'E1', { relation: 'compatible' }),
      pair('N1', 'E1', { confidence: 2 }),
      pair('N1', 'E1', { confidence: 'high' }),
      null,
    ]
    expect(proposalsIn(bad)).toEqual({ proposals: [], dropped: bad.length })
    expect(proposalsIn({ 0: pair('N1', 'E1') })).toBeNull()
  })

  it('leaves out pairs of equal values, and a pair that is there already', () => {
    const read = proposalsIn([pair('N1', 'E2'), pair('N1', 'E1', { confidence: 0.4 }), pair('N1', 'E1')])
    expect(read?.proposals.map(({ b, confidence }) => [b, confidence])).toEqual([['secret-a-0', 0.9]])
    expect(read?.dropped).toBe(2)
  })

  it('cannot cause more verifications than two for each new fact, twenty at least', () => {
    const many = document(
      'many',
      Array.from({ length: 100 }, (_, at) => `EUR ${at + 1}`),
    )
    const pairs = many.facts.map((_, at) => pair('N1', `E${at + 1}`, { confidence: at / 100 }))
    const read = readProposals(JSON.stringify({ pairs }), fresh, [many])
    expect(read?.proposals).toHaveLength(20)
    expect(read?.proposals[0]?.confidence).toBe(0.99)
    expect(read?.dropped).toBe(80)
  })

  it('of any kind never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (pairs) => {
        expect(proposalsIn(pairs)).not.toBeNull()
      }),
    )
  })
})

describe('an answer to verification', () => {
  const verdict = {
    verdict: 'conflict',
    title: 'Rent of the mill: EUR 900 or EUR 950?',
    explanation: 'The lease says EUR 900, the letter EUR 950: EUR 50 more.',
    period: null,
    severity: 'high',
    confidence: 0.8,
  }

  it('is read field by field', () => {
    expect(readVerdict(JSON.stringify({ ...verdict, tenant: 'other' }))).toEqual(verdict)
  })

  it.each([
    { verdict: 'resolved' },
    { severity: 'fatal' },
    { confidence: -1 },
    { confidence: null },
    { title: '' },
    { title: 'a'.repeat(301) },
    { explanation: ['a'] },
  ])('with %j is refused', (change) => {
    expect(readVerdict(JSON.stringify({ ...verdict, ...change }))).toBeNull()
  })

  it('of any kind never throws', () => {
    fc.assert(
      fc.property(fc.json(), (content) => {
        expect(() => readVerdict(content)).not.toThrow()
      }),
    )
  })
})
