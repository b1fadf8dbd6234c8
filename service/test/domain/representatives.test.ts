import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDebatable, representativesOf } from '../../src/domain/representatives.ts'
import type { GroupMember } from '../../src/domain/representatives.ts'

const filed = (valueRank: number, claimRank: number, documentId = 'a', no = claimRank): GroupMember => ({
  valueRank: BigInt(valueRank),
  claimRank: BigInt(claimRank),
  documentId,
  no,
})

const claims = fc.uniqueArray(
  fc
    .tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: -99, max: 99 }))
    .map(([value, claim]) => filed(value, claim)),
  { selector: ({ valueRank, claimRank }) => `${valueRank} ${claimRank}`, maxLength: 60 },
)

describe('those who represent a group', () => {
  it('are six of each value, those of lowest rank, and the values of lowest rank', () => {
    const group = Array.from({ length: 100 }, (_, index) => filed(Math.floor(index / 8), index))
    expect(representativesOf(group.toReversed()).map(({ claimRank }) => Number(claimRank))).toEqual([
      ...[0, 8, 16, 24, 32].flatMap((first) => [0, 1, 2, 3, 4, 5].map((nth) => first + nth)),
      40,
      41,
    ])
  })

  it('are the same whatever the order, and whoever was left out before stays out', () => {
    fc.assert(
      fc.property(claims, claims, (some, more) => {
        const all = [...some, ...more.filter((each) => !some.some((other) => same(each, other)))]
        const chosen = representativesOf(all)
        expect(representativesOf(all.toReversed())).toEqual(chosen)
        const rest = all.filter((each) => !some.includes(each))
        expect(representativesOf([...representativesOf(some), ...rest])).toEqual(chosen)
      }),
    )
  })

  it('may disagree where there are two values, also in one document', () => {
    expect(isDebatable([])).toBe(false)
    expect(isDebatable([filed(1, 1), filed(1, 2, 'b')])).toBe(false)
    expect(isDebatable([filed(1, 1), filed(2, 2)])).toBe(true)
    expect(isDebatable([filed(1, 1), filed(2, 2), filed(2, 3, 'b')])).toBe(true)
  })
})

const same = (a: GroupMember, b: GroupMember) => a.valueRank === b.valueRank && a.claimRank === b.claimRank
