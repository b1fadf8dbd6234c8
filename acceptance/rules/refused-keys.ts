/** Everything that may stand where a key belongs and is none, or is none any more. */
import type { ProblemCode } from '@concord/contract'
import type { KeyLetter } from '../world/keys.ts'
import { inventKey, mistyped, withOtherSecret, withOtherTier } from '../world/keys.ts'

export interface RefusedKey {
  readonly what: string
  readonly code: ProblemCode
  readonly present: (good: string) => string
}

const invalid = (what: string, present: (good: string) => string): RefusedKey => ({
  what,
  code: 'credential_invalid',
  present,
})

/** One answer for all of them: it does not tell an unknown key from a known one with the wrong secret. */
export function refusedKeys(letter: KeyLetter): readonly RefusedKey[] {
  const others = (['t', 'a', 'i'] as const).filter((each) => each !== letter)
  return [
    invalid('a word', () => 'secret'),
    invalid('a key with one character mistyped', mistyped),
    invalid('a key cut short', (good) => good.slice(0, -1)),
    invalid('a key with one character too many', (good) => `${good}0`),
    invalid('a key in capitals', (good) => good.toUpperCase()),
    invalid('the prefix of a key', (good) => good.split('_').slice(0, 3).join('_')),
    invalid('a key that was never issued', () => inventKey(letter)),
    invalid('the id of a key with another secret', withOtherSecret),
    ...others.map((other) => invalid(`a key renamed to tier ${other}`, (good) => withOtherTier(good, other))),
  ]
}
