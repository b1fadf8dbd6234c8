import { describe, expect, it } from 'vitest'
import type { Claim } from '@concord/reading/src/claim.ts'
import { readClaims } from '../../src/claims.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

const frame = 'The report of the committee was read to all of the members who were there at the time.'

function readAll(text: string): Claim[] {
  const whole = `${text}\n\n${frame}\n`
  return readClaims(whole, readStructure(whole))
}

function onlyOf(text: string, kind: Claim['kind'], valueText: string): Claim {
  const claim = readAll(text).find((each) => each.kind === kind && each.valueText.includes(valueText))
  if (claim === undefined) throw new Error(`no ${kind} ${valueText} in: ${text}`)
  return claim
}

describe('a correction that only points back', () => {
  const text =
    'Correction: moisture of the grain on 30 April 2023 had been given as 15 per cent. That figure was a slip. ' +
    'The correct value for that date is 12 per cent.'

  it('is of what was spoken of, at that time, and replaces the figure given', () => {
    const claim = onlyOf(text, 'percent', '12')
    expect(claim.attribute.words).toContain('moisture')
    expect(claim.period).not.toBeNull()
    expect(claim.replaces).toMatchObject({ by: 'correction', value: { low: 15 } })
  })

  it('is not mixed up with a figure of another kind', () => {
    const other = onlyOf('The shaft is 14 m deep. The correct share is 12 per cent.', 'percent', '12')
    expect(other.replaces?.value ?? null).toBeNull()
  })
})

describe('who', () => {
  it.each([
    ['Owner of the building: Pelham Estates Ltd', ['own', 'building']],
    ['The building belongs to Rhona Pelham.', ['own', 'building']],
    ['The release was signed by Rhona Pelham.', ['sign', 'release']],
    ['The survey was carried out by Rhona Pelham.', ['carry', 'survey']],
    ['The release was signed by R. Pelham.', ['sign', 'release']],
    ['Release of the aircraft signed by: R. Pelham', ['release', 'aircraft', 'sign']],
  ])('%s', (text, words) => {
    const claim = readAll(text).find(({ kind }) => kind === 'identity')
    expect(claim?.attribute.words).toEqual(words)
    expect(claim?.value).toMatchObject({ type: 'name' })
  })

  it.each(['Prepared by: Rhona Pelham', 'Contact: Rhona Pelham', 'Customer: Pelham Estates Ltd'])(
    'says nothing that another document could gainsay: %s',
    (text) => {
      expect(
        readAll(`Minutes\n\nThe meeting was short.\n\n${text}`).filter(({ kind }) => kind === 'identity'),
      ).toEqual([])
    },
  )
})

describe('an initial', () => {
  it('begins a name, and a letter before a heading does not', () => {
    const name = readAll('The release was signed by R. Pelham.').find(({ kind }) => kind === 'identity')
    expect(name?.value).toEqual({ type: 'name', words: ['pelham'] })
    const lettered = readAll('The scope is wide.\n\nA. Scope of 14 visits was agreed.')
    expect(lettered.filter(({ subject }) => subject.words.includes('scope'))).toEqual([])
  })
})

describe('what is measured', () => {
  it('is what stays at a value, and not the staying', () => {
    expect(
      onlyOf('The property tax multiplier stays at 420 per cent.', 'percent', '420').attribute.words,
    ).toEqual(['multiplier', 'tax', 'property'])
  })

  it('is what is raised, not who resolves to raise it', () => {
    const claim = onlyOf(
      'The council resolved to raise the tax multiplier from 420 to 445 per cent.',
      'percent',
      '445',
    )
    expect(claim.attribute.words).toEqual(['multiplier', 'tax'])
    expect(claim.replaces).toMatchObject({ by: 'change', value: { low: 420 } })
  })

  it('stands behind the value where the key is but a name', () => {
    const text =
      'Harrow Optics makes lenses. We like Harrow Optics.\n\n- Harrow Optics (lenses): EUR 58.2m revenue'
    expect(onlyOf(text, 'money', '58.2').attribute.words).toEqual(['revenue'])
  })

  it('is the key, also in title case', () => {
    const claim = onlyOf('Patients Screened: 61', 'count', '61')
    expect(claim.attribute.words).toContain('patient')
    expect(claim.subject.from).not.toBe('clause')
  })

  it('is of the numbered thing that the key begins with', () => {
    const claim = onlyOf('Engine 2, cycles since overhaul: 4,120', 'count', '4,120')
    expect(claim.subject.words).toEqual(['engine', '2'])
    expect(claim.attribute.words).toContain('cycle')
  })

  it('is of the document where a row only says when', () => {
    const text =
      'Attendance\n\n| Term | Attendance |\n|---|---|\n| Autumn 2024 | 94.6 % |\n| Spring 2025 | 93.0 % |'
    const claim = onlyOf(text, 'percent', '94.6')
    expect(claim.subject.words).toEqual([])
    expect(claim.attribute.words).toContain('attendance')
  })
})

describe('a document about one of a series', () => {
  it('marks all its claims with it', () => {
    const claims = readAll(
      'Site Number: 01\nReport Date: 2024-04-22\n\nThe lease of Harrow Optics was signed in May 2021.',
    )
    expect(claims.length).toBeGreaterThan(0)
    for (const { qualifiers, subject } of claims)
      expect(qualifiers.includes('document:01') || subject.words.includes('01')).toBe(true)
  })
})
