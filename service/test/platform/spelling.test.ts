import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { nearestName } from '../../src/platform/spelling.ts'

const names = ['DATABASE_URL', 'NATS_URL', 'MASTER_KEY', 'KEY_PEPPER']

describe('nearestName', () => {
  it.each([
    ['a letter left out', 'DATABSE_URL', 'DATABASE_URL'],
    ['a letter too many', 'NATSS_URL', 'NATS_URL'],
    ['a wrong letter', 'MASTER_KEX', 'MASTER_KEY'],
    ['two letters swapped', 'KEY_PEPEPR', 'KEY_PEPPER'],
    ['the name itself', 'NATS_URL', 'NATS_URL'],
  ])('finds the name behind %s', (_, wanted, meant) => {
    expect(nearestName(wanted, names)).toBe(meant)
  })

  it.each(['PATH', 'HOME', '', 'DATABASE_URL_OF_ANOTHER_SERVICE'])('offers nothing for %j', (wanted) => {
    expect(nearestName(wanted, names)).toBeUndefined()
  })

  it('prefers the closest of several near names', () => {
    expect(nearestName('keys', ['kexx', 'key', 'kyes'])).toBe('key')
  })

  it('offers nothing when there is nothing to choose from', () => {
    expect(nearestName('keys', [])).toBeUndefined()
  })

  it('finds a name again after any one edit', () => {
    const edits = fc.record({
      at: fc.nat(11),
      kind: fc.constantFrom('drop', 'add', 'change'),
      letter: fc.constantFrom('X', 'Q', '9'),
    })
    fc.assert(
      fc.property(edits, ({ at, kind, letter }) => {
        const [name = ''] = names
        const rest = name.slice(kind === 'add' ? at : at + 1)
        const edited = name.slice(0, at) + (kind === 'drop' ? '' : letter) + rest
        expect(nearestName(edited, names)).toBe(name)
      }),
    )
  })
})
