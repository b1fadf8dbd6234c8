/** Tests the attacks on the audit log and their judge: each attack must change the log where it says, and nothing be taken for done. */
import { describe, expect, test } from 'vitest'
import { toAction } from '../proofs/audit/actions.ts'
import { surplus } from '../harness/surplus.ts'
import { parseExport } from '../proofs/audit/log.ts'
import type { AuditLog, AuditLogEntry, Head } from '../proofs/audit/log.ts'
import { KINDS, tamper } from '../proofs/audit/tampering.ts'
import { createChance } from '../harness/chance.ts'

const entryAt = (seq: number): AuditLogEntry => ({
  kind: 'entry',
  seq,
  entry_id: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`,
  at: '2026-05-03T10:00:00.123000Z',
  action: 'runtime.changed',
  tier: 'admin',
  actor: 'ck_a_0000000000',
  tenant_id: null,
  scope_id: null,
  subject: null,
  details: `{"op":"pause","nth":${seq}}`,
  mac_key: 'mk1',
  mac: String(seq).padStart(64, 'a'),
  chain_key: 'mk1',
  chain_mac: String(seq).padStart(64, 'b'),
})

const headAt = (seq: number): Head => ({
  kind: 'head',
  seq,
  chain_mac: entryAt(seq).chain_mac ?? '',
  mac_key: 'mk1',
  mac: String(seq).padStart(64, 'c'),
})

const log: AuditLog = {
  entries: Array.from({ length: 20 }, (_, index) => entryAt(index + 1)),
  head: headAt(20),
}

describe('an attack', () => {
  test.each(KINDS)('of kind %s leaves everything before its index, and nothing at it, as it was', (kind) => {
    const chance = createChance(7)
    for (let nth = 0; nth < 300; nth += 1) {
      const tampered = tamper(kind, log, headAt(8), chance)
      const before = tampered.index - 1
      expect([tampered.what, tampered.log.entries.slice(0, before)]).toEqual([
        tampered.what,
        log.entries.slice(0, before),
      ])
      expect([tampered.what, tampered.log.entries[before]]).not.toEqual([tampered.what, log.entries[before]])
    }
  })

  test('is the same for the same seed', () => {
    const run = () => KINDS.map((kind) => tamper(kind, log, headAt(8), createChance(3)))
    expect(run()).toEqual(run())
  })
})

describe('the comparison of what was done with what is told', () => {
  test('notices what is missing, what is told twice and what nobody did', () => {
    expect(surplus(['a', 'b', 'b'], ['b', 'a', 'b'])).toEqual([])
    expect(surplus(['a', 'b', 'b'], ['a', 'b'])).toEqual(['b'])
    expect(surplus(['a', 'a', 'c'], ['a'])).toEqual(['a', 'c'])
  })

  test('tells two moves apart that differ in anything', () => {
    const details = '{"op":"pause","state":"paused","generation":0,"changed":true}'
    const move = { ...entryAt(1), details }
    expect(toAction(move)).toBe('runtime.changed - - pause paused 0 true')
    expect(toAction({ ...move, scope_id: 'default' })).not.toBe(toAction(move))
  })
})

describe('an export', () => {
  test('that does not say where the log ends is not taken for one', () => {
    const lines = [{ kind: 'start' }, entryAt(1), headAt(1)].map((line) => JSON.stringify(line))
    expect(parseExport(lines.join('\n')).entries).toEqual([entryAt(1)])
    expect(() => parseExport(lines.slice(0, 2).join('\n'))).toThrow('where the log ends')
  })
})
