/** The plans lead to the same documents in the end, and a difference between two outcomes is seen. */
import { describe, expect, test } from 'vitest'
import { differencesOf, linesOf } from '../harness/cases/outcome.ts'
import { altered, interleave, plainPlan, shuffledPlan } from '../harness/cases/plan.ts'
import type { CaseStep } from '../harness/cases/plan.ts'
import { seededRandom } from '../harness/statistics.ts'

const documents = Array.from({ length: 40 }, (_, number) => ({ id: `d${number}`, text: `Rent ${number}.` }))

function whatIsLeft(steps: readonly CaseStep[]): Map<string, string> {
  const left = new Map<string, string>()
  for (const step of steps) {
    if (step.kind === 'send') left.set(step.id, step.text)
    if (step.kind === 'remove') left.delete(step.id)
  }
  return left
}

describe('a shuffled plan', () => {
  test('leaves the documents that the plain one leaves, whatever the seed', () => {
    const plain = whatIsLeft(plainPlan(documents))
    expect(plain).toEqual(new Map(documents.map(({ id, text }) => [id, text])))
    for (let seed = 0; seed < 50; seed += 1) {
      expect(whatIsLeft(shuffledPlan(documents, seededRandom(seed)))).toEqual(plain)
    }
  })

  test('is repeated by its seed, and replaces, removes and waits', () => {
    const plan = shuffledPlan(documents, seededRandom(3))
    expect(plan).toEqual(shuffledPlan(documents, seededRandom(3)))
    expect(plan).not.toEqual(shuffledPlan(documents, seededRandom(4)))
    expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(['send', 'remove', 'wait']))
    expect(plan.filter(({ kind }) => kind === 'send').length).toBeGreaterThan(documents.length + 5)
  })

  test('removes nothing that was not sent', () => {
    const plan = shuffledPlan(documents, seededRandom(5))
    const early = plan.filter((step, at) => {
      const isSent = (other: CaseStep) =>
        other.kind === 'send' && step.kind === 'remove' && other.id === step.id
      return step.kind === 'remove' && !plan.slice(0, at).some(isSent)
    })
    expect(early).toEqual([])
  })

  test('keeps the order within a life', () => {
    const life: CaseStep[] = ['a', 'b', 'c'].map((id) => ({ kind: 'send', id, text: '' }))
    const mixed = interleave([life, [{ kind: 'wait' }]], seededRandom(1))
    expect(mixed.filter(({ kind }) => kind === 'send')).toEqual(life)
  })
})

test('an altered text has other figures in the same words', () => {
  expect(altered('Rent of 1,280 in 2019')).toBe('Rent of 2,390 in 3029')
})

describe('an outcome', () => {
  const claim = { claim_id: 'x', version: 1, quote: 'a', extracted_at: 'now', value: { low: 1 } }
  const other = { ...claim, claim_id: 'y', version: 2, extracted_at: 'then' }

  test('leaves out what the service gives anew each time, and nothing else', () => {
    expect(linesOf([claim])).toEqual(['{"quote":"a","value":{"low":1}}'])
    expect(linesOf([claim])).toEqual(linesOf([other]))
  })

  test('differs by one that is missing, one too many and one that came twice', () => {
    const one = { claims: ['a', 'b'], contradictions: ['x'] }
    expect(differencesOf(one, one)).toEqual([])
    expect(differencesOf(one, { claims: ['a'], contradictions: ['x', 'x'] })).toEqual([
      'missing in the claims: b',
      'too much in the contradictions: x',
    ])
  })
})
