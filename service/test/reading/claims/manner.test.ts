import { describe, expect, it } from 'vitest'
import type { Claim } from '../../../src/domain/claim.ts'
import { readClaims } from '../../../src/reading/claims.ts'
import { readStructure } from '../../../src/reading/structure.ts'

const frame = 'The report of the committee was read to all of the members who were there at the time.'

function claimsOf(sentence: string): Claim[] {
  const text = `${frame} ${sentence}`
  return readClaims(text, readStructure(text)).filter((claim) => claim.span[0] > frame.length)
}

function firstOf(sentence: string, kind: Claim['kind']): Claim {
  const claim = claimsOf(sentence).find((each) => each.kind === kind)
  if (claim === undefined) throw new Error(`no ${kind} in: ${sentence}`)
  return claim
}

describe('how a claim is meant', () => {
  it.each([
    ['The depth of the shaft is 14 m.', 'measure', 'actual'],
    ['The budget for the roof is EUR 40,000.', 'money', 'plan'],
    ['Repairs will cost EUR 9,000.', 'money', 'plan'],
    ['The target for availability is 99.5 per cent.', 'percent', 'target'],
    ['The lead content must not exceed 0.1 mg/kg.', 'measure', 'limit'],
    ['If the lease is renewed, the rent would be EUR 5,000.', 'money', 'hypothetical'],
  ] as const)('%s', (sentence, kind, modality) => {
    expect(firstOf(sentence, kind).modality).toBe(modality)
  })

  it('leaves a limit to the figure it stands before', () => {
    const [measured, limit] = claimsOf('The water content is 12.4 %, limit 14 %.')
    expect([measured?.modality, limit?.modality]).toEqual(['actual', 'limit'])
  })
})

describe('what a value replaces', () => {
  it.each([
    ['The price was EUR 8m and not EUR 6m.', 'money', 6_000_000, 'correction'],
    ['The fee rises from EUR 20 to EUR 25.', 'money', 20, 'change'],
    ['The share of women should read 41 per cent instead of 38 per cent.', 'percent', 38, 'correction'],
  ] as const)('%s', (sentence, kind, old, by) => {
    expect(firstOf(sentence, kind).replaces).toMatchObject({ value: { low: old }, by })
  })

  it('may be told without the old value', () => {
    const corrected = firstOf('The corrected net debt is EUR 3m.', 'money')
    expect(corrected.replaces).toEqual({ value: null, by: 'correction' })
    const changed = firstOf('The rent is EUR 900 from 1 May 2021.', 'money')
    expect(changed.replaces).toEqual({ value: null, by: 'change' })
  })

  it('is not stated where it is called wrong', () => {
    const claims = claimsOf('The figure of 4.4 per cent is wrong.')
    expect(claims.filter((claim) => claim.kind === 'percent')).toEqual([])
  })
})

describe('whether there is any', () => {
  it.each([
    ['There were no accidents on the site.', 'accident', false],
    ['No pending or threatened litigation exists.', 'litigation', false],
    ['The building is free of asbestos.', 'asbestos', false],
    ['The company has never held an account abroad.', 'account', false],
    ['Traces of peanut were found in the sample.', 'peanut', true],
    ['A complaint was received from a shop in May.', 'complaint', true],
    ['Two people died in the fire.', 'death', true],
  ] as const)('%s', (sentence, noun, exists) => {
    const claim = firstOf(sentence, 'existence')
    expect([claim.attribute.words[0], claim.value]).toMatchObject([noun, { exists }])
  })

  it.each([
    'No employee was paid below the tariff.',
    'Payment is due no later than Friday.',
    'There is no reason to doubt it.',
  ])('is not what this denies: %s', (sentence) => {
    expect(claimsOf(sentence).filter((claim) => claim.kind === 'existence')).toEqual([])
  })
})

describe('states, levels and roles', () => {
  it.each([
    ['The licence lapsed in May 2020.', 'status', 'expired'],
    ['The invoice remains unpaid.', 'status', 'unpaid'],
    ['The certificate puts the house in band C.', 'level', 'c'],
    ['The risk class is raised from medium to high.', 'level', 'high'],
  ] as const)('%s', (sentence, kind, word) => {
    expect(firstOf(sentence, kind).value).toMatchObject({ word })
  })

  it('tells who holds a role, since when and in whose place', () => {
    const sentence = 'Since 1 October 2020 Ms Adeyemi has been project manager in place of Mr Jonas Wirth.'
    const claim = firstOf(sentence, 'identity')
    expect(claim.attribute.words).toEqual(['manager', 'project'])
    expect(claim.value).toEqual({ type: 'name', words: ['adeyemi'] })
    expect(claim.replaces).toEqual({ value: { type: 'name', words: ['jonas', 'wirth'] }, by: 'change' })
    expect(claim.period?.[0]).toBe(18_536)
  })
})
