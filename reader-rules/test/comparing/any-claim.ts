/** Claims of every sort, for what must hold of all of them. */
import * as fc from 'fast-check'
import type { Claim } from '@concord/reading/src/claim.ts'
import { amount, claim, existence, name, word, type TestClaim } from './claims.ts'

const someWord = fc.constantFrom(
  'alder',
  'group',
  'nordics',
  'as',
  'revenue',
  'net',
  'recurring',
  'new',
  'arr',
  'customer',
  'initials:arr',
)
const someDay = fc.integer({ min: 0, max: 8 })
const someDays = fc
  .tuple(someDay, fc.nat(40))
  .map(([first, more]) => [first * 30, first * 30 + more] as const)
const someNumber = fc.record({
  low: fc.integer({ min: 0, max: 6 }),
  more: fc.nat(3),
  unit: fc.constantFrom('EUR', '%', 'customer'),
  bound: fc.constantFrom(null, 'min', 'max', 'over', 'under'),
  about: fc.boolean(),
})
const someValue: fc.Arbitrary<Claim['value']> = fc.oneof(
  someNumber.map(({ low, more, unit, bound, about }) =>
    amount(low, unit, { high: low + more, bound, about }),
  ),
  someDays.map((days) => ({ type: 'date' as const, days })),
  fc
    .tuple(fc.constantFrom('open', 'done'), fc.constantFrom(null, 0, 1))
    .map(([text, rank]) => word('completion', text, rank)),
  fc.constantFrom('Ann Lee', 'A Lee', 'Bob Ray', 'BR').map(name),
  fc.tuple(fc.boolean(), fc.boolean()).map(([exists, blanket]) => existence(exists, blanket)),
)
export const anyClaim: fc.Arbitrary<Claim> = fc
  .record({
    kind: fc.constantFrom('money', 'count', 'date', 'status', 'existence', 'identity'),
    subject: fc.array(someWord, { maxLength: 3 }).map((words) => words.join(' ')),
    from: fc.constantFrom('clause', 'document', 'none'),
    attribute: fc.array(someWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    context: fc.array(someWord, { maxLength: 3 }),
    qualifiers: fc.subarray(['adjusted', 'reported', 'corrected', 'scenario:base', 'scenario:low'], {
      maxLength: 2,
    }),
    value: someValue,
    period: fc.option(someDays),
    modality: fc.constantFrom('actual', 'plan', 'limit'),
    replaces: fc.option(
      fc.record({ value: fc.option(someValue), by: fc.constantFrom('correction', 'change') }),
    ),
    assertedAt: fc.option(someDay),
  })
  .map((draft) => claim(draft as TestClaim))
