import { describe, expect, it } from 'vitest'
import { BoundedMap } from '../../src/platform/bounded-map.ts'

function filled(...keys: readonly string[]): BoundedMap<string, string> {
  const map = new BoundedMap<string, string>(3)
  for (const key of keys) map.set(key, `of ${key}`)
  return map
}

const left = (map: BoundedMap<string, string>) =>
  ['a', 'b', 'c', 'd', 'e'].filter((key) => map.get(key) !== undefined)

describe('a bounded map', () => {
  it('keeps what was set last, as many as there is room for', () => {
    expect(left(filled('a', 'b', 'c'))).toEqual(['a', 'b', 'c'])
    expect(left(filled('a', 'b', 'c', 'd', 'e'))).toEqual(['c', 'd', 'e'])
  })

  it('takes an entry that is set again for new, and another one makes room', () => {
    expect(left(filled('a', 'b', 'c', 'a', 'd'))).toEqual(['a', 'c', 'd'])
  })

  it('has room where an entry was deleted', () => {
    const map = filled('a', 'b', 'c')
    map.delete('b')
    map.set('d', 'of d')
    expect(left(map)).toEqual(['a', 'c', 'd'])
    expect(map.get('d')).toBe('of d')
  })
})
