import { describe, expect, it } from 'vitest'
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Judgement } from '@concord/reading/src/finding.ts'
import { readClaims } from '../src/claims.ts'
import { judge, keysOf } from '../src/comparing.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

/** The statement of a sentence that stands alone in its document. */
function statement(text: string): Claim | undefined {
  return readClaims(text, readStructure(text)).find(
    ({ value }) => value.type === 'word' && value.family === 'statement',
  )
}

function side(text: string): string | undefined {
  const value = statement(text)?.value
  return value?.type === 'word' ? value.word : undefined
}

function judged(a: string, b: string): Judgement | null {
  const [x, y] = [statement(a), statement(b)]
  if (x === undefined || y === undefined) return null
  const verdict = judge(x, y)
  expect(judge(y, x)).toEqual(verdict)
  return verdict
}

function meet(a: string, b: string): boolean {
  const [x, y] = [statement(a), statement(b)]
  if (x === undefined || y === undefined) return false
  const keys = keysOf(x)
  return keysOf(y).some((key) => keys.includes(key))
}

const gainsaid: readonly (readonly [string, string])[] = [
  ['The contract includes a termination clause.', 'The contract does not include a termination clause.'],
  ['The backup tapes are encrypted in transit.', 'The backup tapes are unencrypted in transit.'],
  ['The board approved the merger plan in full.', 'The board rejected the merger plan in full.'],
  ['Ferry traffic increased on the northern route.', 'Ferry traffic decreased on the northern route.'],
  ['The harbour survey of the quay is complete.', 'The harbour survey of the quay is incomplete.'],
  ['The tenant complied with the repairing covenant.', 'The tenant breached the repairing covenant.'],
  ['The kitchen passed the hygiene inspection.', 'The kitchen failed the hygiene inspection.'],
  ['The licence holder is able to export honey.', 'The licence holder is unable to export honey.'],
  ['The pump seals were replaced after the flood.', "The pump seals weren't replaced after the flood."],
  ['The crew filed the voyage report.', 'The crew failed to file the voyage report.'],
  ['No swimmers were rescued at the lido.', 'Several swimmers were rescued at the lido by the guards.'],
]

describe('what a sentence states', () => {
  it.each(gainsaid)('is gainsaid: %s / %s', (a, b) => {
    expect(judged(a, b)?.relation).toBe('conflict')
    expect(judged(a, b)?.score).toBeGreaterThanOrEqual(0.5)
    expect(meet(a, b)).toBe(true)
  })

  it('is the same behind the words of whoever retells it', () => {
    const plain = 'The orchard lease covers the packing shed.'
    expect(judged(plain, `The surveyor confirmed that ${plain}`)?.relation).toBe('same')
    expect(judged(plain, `According to the surveyor, ${plain}`)?.relation).toBe('same')
  })

  it('is not denied by a bound, an addition or two denials', () => {
    expect(side('The keeper paid the fee no later than the second Monday.')).toBe('affirmed')
    expect(side('The keeper not only fed but also groomed the horses.')).toBe('affirmed')
    expect(side('The keeper did not reject the grooming schedule.')).toBe('affirmed')
    expect(side('The keeper no longer feeds the grey horses.')).toBe('denied')
  })

  it('has no answer to what speaks of another name or number', () => {
    const a = 'The Marsden office has signed the cleaning contract for the depot.'
    expect(judged(a, 'The Kelby office has not signed the cleaning contract for the depot.')?.relation).toBe(
      'not_comparable',
    )
    expect(
      judged('Valve 12 was not tested by the night crew.', 'Valve 14 was tested by the night crew.')
        ?.relation,
    ).toBe('not_comparable')
  })

  it('is not gainsaid by a denial of something else', () => {
    const verdict = judged(
      'The ferry company did not publish the winter timetable.',
      'The ferry company did not reprint the winter timetable.',
    )
    expect(verdict?.relation).toBe('not_comparable')
  })

  it('is known again by initials', () => {
    expect(
      judged(
        'The ferry meets the CSR rules in harbour.',
        'The ferry meets the coastal safety regulation rules in harbour.',
      )?.relation,
    ).toBe('same')
  })

  it('is a change where the denial was for the time being', () => {
    const early = 'Date: 3 May 2021\n\nThe quay wall has not yet been inspected by divers.'
    const late = 'Date: 9 June 2021\n\nThe quay wall has been inspected by divers.'
    expect(judged(early, late)?.relation).toBe('change')
  })

  it('costs little, whatever the text', () => {
    const hostile = ['not '.repeat(4000), 'un'.repeat(8000), 'no more no less than '.repeat(1500)]
    for (const words of hostile) {
      const text = `The harbour ${words} is open.`
      const started = performance.now()
      readClaims(text, readStructure(text))
      expect(performance.now() - started).toBeLessThan(1000)
    }
  })

  it('is not stated by what is only possible', () => {
    const verdict = judged(
      'No fuel leak was found at the northern jetty.',
      'A possible fuel leak was found at the northern jetty and the sheds.',
    )
    expect(verdict?.relation).toBe('not_comparable')
  })

  it('adds to another statement without being the same', () => {
    expect(
      judged('The museum roof was repaired.', 'The museum roof was repaired with slate and copper.')
        ?.relation,
    ).toBe('refinement')
  })

  it('is not read from a question, a heading or a word or two', () => {
    expect(statement('Has the roof of the museum been repaired?')).toBeUndefined()
    expect(statement('# Repairs of the museum roof')).toBeUndefined()
    expect(statement('It rained.')).toBeUndefined()
  })

  it('has three keys at most', () => {
    for (const [a] of gainsaid) {
      const claim = statement(a)
      expect(claim === undefined ? 0 : keysOf(claim).length).toBeLessThanOrEqual(3)
    }
  })
})
