import { describe, expect, it } from 'vitest'
import type { Claim } from '@concord/reading/src/claim.ts'
import { readClaims } from '../../src/claims.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

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
    ['Occupancy is 71 per cent, down from 84 per cent.', 'percent', 84, 'change'],
    [
      'The ratio is 128 per cent, a marked fall from the Q4 2025 ratio of 142 per cent.',
      'percent',
      142,
      'change',
    ],
    ['The share of women should read 41 per cent instead of 38 per cent.', 'percent', 38, 'correction'],
  ] as const)('%s', (sentence, kind, old, by) => {
    expect(firstOf(sentence, kind).replaces).toMatchObject({ value: { low: old }, by })
  })

  it.each([
    'One bound is not reached on two cores.',
    'Two bounds that are not met on two cores are named below.',
  ])('is not the second number of a sentence whose verb is denied: %s', (sentence) => {
    expect(claimsOf(sentence).map(({ replaces }) => replaces)).not.toContainEqual(
      expect.objectContaining({ by: 'correction' }),
    )
  })

  it('is named also behind a verb and an article', () => {
    const sentence = 'The price was EUR 8m and was not the EUR 6m of the draft.'
    expect(firstOf(sentence, 'money').replaces).toMatchObject({ value: { low: 6_000_000 }, by: 'correction' })
  })

  it('may be told without the old value', () => {
    const corrected = firstOf('The corrected net debt is EUR 3m.', 'money')
    expect(corrected.replaces).toEqual({ value: null, by: 'correction' })
    const changed = firstOf('The rent is EUR 900 from 1 May 2021.', 'money')
    expect(changed.replaces).toEqual({ value: null, by: 'change' })
  })

  it('stays a claim of its own where it was right in its time', () => {
    const values = claimsOf('Occupancy is 71 per cent, down from 84 per cent.').filter(
      ({ kind }) => kind === 'percent',
    )
    expect(values.map(({ value }) => value.type === 'number' && value.low)).toEqual([71, 84])
  })

  it.each([
    'The rate of errors changes from 3/54 (5.6 %) to 6/54 (11.1 %).',
    'The rate of errors changes from 5.6 % (2023) to 11.1 % (2024).',
  ])('may have brackets behind it: %s', (sentence) => {
    const claims = claimsOf(sentence)
    expect(claims.filter(({ kind, replaces }) => kind === 'percent' && replaces !== null)).toMatchObject([
      { attribute: { words: ['error', 'rate'] }, value: { low: 11.1 }, replaces: { value: { low: 5.6 } } },
    ])
  })

  it('is nothing where a figure only comes from somewhere', () => {
    const claim = firstOf('The occupancy was 71 per cent, from which the fair took 20 per cent.', 'percent')
    expect(claim.replaces).toBeNull()
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

describe('a state that is not reached yet', () => {
  it.each([
    ['The external audit has not yet been completed.', 'open'],
    ['The external audit is not yet completed.', 'open'],
    ['The external audit has already been completed.', 'completed'],
    ['The permit has still not been granted.', 'rejected'],
  ])('%s', (sentence, word) => {
    expect(firstOf(sentence, 'status').value).toMatchObject({ word })
  })

  it.each([
    ['The external audit has not yet been completed.', 'not yet been completed'],
    ['The invoices were never paid.', 'never paid'],
    ['The external audit has been completed.', 'completed'],
  ])('is shown with what denies it: %s', (sentence, text) => {
    expect(firstOf(sentence, 'status').valueText).toBe(text)
  })
})

describe('a word that is a penalty in other places', () => {
  const kindsOf = (sentence: string) => claimsOf(sentence).map(({ kind }) => kind)

  it('is none where it says that all is well', () => {
    expect(kindsOf('The inspector called back and said it was fine.')).not.toContain('existence')
    expect(kindsOf('The regulator imposed a fine on the branch.')).toContain('existence')
  })
})

describe('initials right before a noun', () => {
  it('say what is measured, and not of whom', () => {
    const { attribute, subject } = firstOf('The Meridian SCR ratio stands at 142 per cent.', 'percent')
    expect(attribute.words).toEqual(['ratio', 'scr'])
    expect(subject.words).toEqual(['meridian'])
  })

  it.each([
    ['The Alder UK turnover was EUR 4m.', ['alder', 'uk']],
    ['The Alder AG turnover was EUR 4m.', ['alder']],
  ])('are part of a name where they are its land or its form: %s', (sentence, words) => {
    expect(firstOf(sentence, 'money').subject.words).toEqual(words)
  })
})

describe('a key in capitals that no name could be', () => {
  it.each([
    ['Composite Score', '54 / 100', ['score', 'composite']],
    ['Total Sherpas', '512', ['sherpa']],
  ])('says what is measured: %s', (key, value, words) => {
    const text = `Risk Rating\n\n${frame} It had a Composite Score and some Sherpas.\n\n${key}: ${value}\n`
    const claim = readClaims(text, readStructure(text)).find(({ span }) =>
      text.slice(span[0]).startsWith(key),
    )
    expect(claim?.attribute.words).toEqual(words)
    expect(claim?.subject.words).toEqual([])
  })
})
