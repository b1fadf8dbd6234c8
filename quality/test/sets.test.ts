import { describe, expect, it } from 'vitest'
import { isSame } from '../src/sets/adjudicated.ts'
import { isAbout } from '../src/sets/docsets.ts'
import { isRight, scoreRouting } from '../src/sets/routing.ts'
import { unitsOf } from '../src/served/offsets.ts'
import { report } from './made.ts'

const told = report({ a: ['D1', 'The fund held 40 houses in March.'], b: ['D2', 'there were 52 houses'] })

describe('a topic of a document set', () => {
  const numbers = new Map([
    ['D1', 1],
    ['D2', 2],
  ])
  const topic = (...sides: { docs: number[]; any: string[] }[]) => ({
    id: 't',
    level: 'core',
    type: 'value',
    sides,
  })

  it('is found when the strings of two sides stand in the quotes, in either order', () => {
    const houses = topic({ docs: [2], any: ['60 houses', '52 HOUSES'] }, { docs: [1], any: ['40 houses'] })
    expect(isAbout(houses, told, numbers)).toBe(true)
  })

  it('is not found by one side, nor by strings in other documents', () => {
    const one = topic({ docs: [1, 2], any: ['houses'] }, { docs: [1], any: ['flats'] })
    const elsewhere = topic({ docs: [1], any: ['52 houses'] }, { docs: [1], any: ['40 houses'] })
    expect([one, elsewhere].map((each) => isAbout(each, told, numbers))).toEqual([false, false])
  })
})

describe('a judged detection', () => {
  const numbered = {
    ...told,
    a: { ...told.a, document: '04-fund.txt' },
    b: { ...told.b, document: '20-register.txt' },
  }
  const detection = {
    id: 'd',
    set: 's',
    a: 'there were 52 houses',
    b: 'fund held 40 houses',
    label: 'conflict',
  }

  it('is known again by its documents and most of its words', () => {
    expect(isSame({ ...detection, docA: 20, docB: 4 }, numbered)).toBe(true)
    expect(isSame({ ...detection, docA: 4, docB: 20 }, numbered)).toBe(false)
    expect(isSame({ ...detection, b: 'the lift was inspected', docA: 20, docB: 4 }, numbered)).toBe(false)
  })
})

describe('routing', () => {
  const pair = (category: string, verdict: string) => ({
    id: category,
    prior: '',
    next: '',
    category,
    verdict,
  })

  it('is right by category', () => {
    const rights = [
      pair('paraphrase', 'equivalent'),
      pair('false_positive_trap', 'contradiction'),
      pair('refutation', 'contradiction'),
      pair('ambiguous_hitl', 'abstained'),
    ]
    const wrongs = [
      pair('paraphrase', 'neutral'),
      pair('false_positive_trap', 'equivalent'),
      pair('contradiction', 'neutral'),
      pair('ambiguous_hitl', 'contradiction'),
    ]
    expect([rights.every(isRight), wrongs.some(isRight)]).toEqual([true, false])
    const scores = scoreRouting([...rights, ...wrongs])
    expect(scores.accuracy).toEqual({ part: 4, whole: 8 })
    expect(scores.overFlagged).toEqual({ part: 1, whole: 2 })
    expect(scores.falseMerges).toBe(1)
    expect(scores.contradictions.precision).toEqual({ part: 1, whole: 2 })
  })
})

describe('offsets', () => {
  it('are counted in code points there and in UTF-16 units here', () => {
    const text = '💠 a 💠 b'
    const units = unitsOf(text)
    expect(text.slice(units(6))).toBe('b')
    expect(units(7)).toBe(text.length)
  })
})
