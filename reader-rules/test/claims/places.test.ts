import { describe, expect, it } from 'vitest'
import type { Claim } from '@concord/reading/src/claim.ts'
import { readClaims } from '../../src/claims.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

function claimsOf(text: string): Claim[] {
  return readClaims(text, readStructure(text))
}

function short(claim: Claim): string {
  return `${claim.valueText}: ${claim.attribute.words.join(' ')} of ${claim.subject.words.join(' ')}`
}

describe('what the place of a claim lends to it', () => {
  it('is the batch that a header names', () => {
    const claims = claimsOf(
      'BATCH RECORD\nBatch no.: QX-2217\nDate: 3 June 2022\n\nThe temperature of the kettle was 84 °C at the end of the step.\n',
    )
    const claim = claims.find((each) => each.kind === 'measure')
    expect(claim?.subject).toMatchObject({ words: ['qx-2217'], from: 'document' })
    expect(claim?.assertedAt).toBe(19_146)
  })

  it('is the row in a table of things, and the whole in the row of totals', () => {
    const claims = claimsOf(
      '# Staff of the group in the year\n\n| Site | Employees | Women |\n|---|---|---|\n| Leeds | 212 | 88 |\n| Total | 307 | 129 |\n',
    )
    expect(claims.map(short)).toEqual(
      expect.arrayContaining(['212: employee of leeds', '88: woman of leeds']),
    )
    expect(claims.find((claim) => claim.valueText === '307')?.subject.from).not.toBe('row')
  })

  it('is the class that a heading lists by, with the sum of its parts', () => {
    const claims = claimsOf(
      'SCHEDULE OF THE GROUP FOR THE YEAR\n\nA. EMPLOYEES BY SITE\n\nLeeds:      212\nCork:        95\n\nB. OTHER MATTERS OF THE YEAR\n\nInterns:     6\n',
    )
    expect(claims.map(short)).toEqual(
      expect.arrayContaining(['212: employee of leeds', '95: employee of cork']),
    )
    expect(claims.some((claim) => claim.value.type === 'number' && claim.value.low === 307)).toBe(true)
  })

  it('is the question that an answer follows', () => {
    const claims = claimsOf(
      '# Questions to the depot\n\nThe depot was asked a few things by the auditors of the group, and these are the answers.\n\n## Fleet\n\nQ: How many vehicles does the depot have?\n\nA: 34, all of them in use.\n',
    )
    expect(claims.map(short).join('\n')).toContain('34: vehicle')
  })

  it('is the date of each message in a thread', () => {
    const claims = claimsOf(
      'From: Ann\nDate: 3 May 2021\nSubject: rent\n\nThe rent of the shop is EUR 900 a month, as we have agreed with them.\n\n-----Original message-----\nFrom: Ben\nDate: 1 May 2021\nSubject: rent\n\nThe rent of the shop is EUR 950 a month, and that is what they have asked for.\n',
    )
    const dates = claims.filter((claim) => claim.kind === 'money').map((claim) => claim.assertedAt)
    expect(dates).toEqual([18_750, 18_748])
  })
})
