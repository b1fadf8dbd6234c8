import { describe, expect, it } from 'vitest'
import type { StatedModality } from '../../src/domain/claim.ts'
import { gatherEvidence } from '../../src/model/evidence.ts'
import { factKeyOf, wordsOf } from '../../src/model/facts.ts'
import { toClaim } from '../../src/model/normalise.ts'
import { isReported, verificationRequest } from '../../src/model/verify.ts'

function claimOf(statement: string, modality: StatedModality = 'fact', subject = 'Hotel Pelham, East Wing') {
  const extracted = {
    quote: statement,
    subject,
    attribute: 'number of bedrooms damaged',
    value: '31',
    period: null,
    modality,
    statement,
  }
  return toClaim(statement, extracted, [0, statement.length], null)
}

describe('the key of a fact', () => {
  it('is the same for one statement in another spelling', () => {
    const one = factKeyOf(claimOf('The East Wing has 31 rooms.'))
    expect(factKeyOf(claimOf('the  east wing has 31 rooms'))).toBe(one)
    expect(factKeyOf(claimOf('The East Wing has 32 rooms.'))).not.toBe(one)
  })

  it.each([
    ['The limit is 10⁶ CFU/g.', 'The limit is 106 CFU/g.'],
    ['The plant has 5 MW.', 'The plant has 5 mW.'],
    ['The dose is 5 Mg.', 'The dose is 5 mg.'],
  ])('is another one for another number or unit: %s %s', (one, other) => {
    expect(factKeyOf(claimOf(one))).not.toBe(factKeyOf(claimOf(other)))
  })

  it('is the same for other forms of one letter or space', () => {
    expect(factKeyOf(claimOf('The ﬁrm has ３１\u00a0rooms.'))).toBe(
      factKeyOf(claimOf('The firm has 31 rooms.')),
    )
  })

  it('tells a plan from a fact', () => {
    expect(factKeyOf(claimOf('The East Wing has 31 rooms.', 'plan'))).not.toBe(
      factKeyOf(claimOf('The East Wing has 31 rooms.')),
    )
  })

  it('is of one document alone where that is isolated', () => {
    const claim = claimOf('The East Wing has 31 rooms.')
    const isolated = {
      ...claim,
      ...(claim.stated && { stated: { ...claim.stated, isolated: true as const } }),
    }
    expect(factKeyOf(claim, 'd1')).toBe(factKeyOf(claim, 'd2'))
    expect(factKeyOf(isolated, 'd1')).not.toBe(factKeyOf(isolated, 'd2'))
    expect(factKeyOf(isolated, 'd1')).not.toBe(factKeyOf(claim, 'd1'))
  })
})

describe('the words of a claim', () => {
  it('are stems, names and figures first, without small words', () => {
    const words = wordsOf(
      claimOf('In the East Wing of the Hotel Pelham 31 bedrooms were damaged by water in 2023.'),
    )
    expect(words.slice(0, 3)).toEqual(['pelham', 'east', 'wing'])
    expect(words).toContain('bedroom')
    expect(words).toContain('2023')
    expect(words).not.toContain('the')
    expect(new Set(words).size).toBe(words.length)
  })

  it('are twenty-four at most', () => {
    const long = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')
    expect(wordsOf(claimOf(long))).toHaveLength(24)
  })
})

describe('a request for verification', () => {
  const text = `${'a'.repeat(600)} 💠 The rent is EUR 900. ${'b'.repeat(600)}`
  const claim = { ...claimOf('The rent is EUR 900.'), span: [603, 623] as const }

  it('shows the text around the quote, by code points', () => {
    const evidence = gatherEvidence(text, claim, { title: 'Lease', date: '2025-05-03' })
    expect(evidence.before.endsWith('a 💠 ')).toBe(true)
    expect(Array.from(evidence.before)).toHaveLength(500)
    expect(evidence.after.startsWith(' b')).toBe(true)
    const { user } = verificationRequest(evidence, evidence)
    expect(JSON.parse(user).a).toMatchObject({
      title: 'Lease',
      quote: 'The rent is EUR 900.',
      meant_as: 'fact',
    })
  })
})

it('a verdict is reported from a confidence of one half, unless both can be true', () => {
  const verdict = {
    verdict: 'change',
    title: 't',
    explanation: 'e',
    period: null,
    severity: 'low',
    confidence: 0.5,
  } as const
  expect(isReported(verdict)).toBe(true)
  expect(isReported({ ...verdict, confidence: 0.49 })).toBe(false)
  expect(isReported({ ...verdict, verdict: 'compatible' })).toBe(false)
  expect(isReported({ ...verdict, verdict: 'unsure' })).toBe(false)
})
