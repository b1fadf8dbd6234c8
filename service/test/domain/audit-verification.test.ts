import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CHAIN_START, chainEntries, entryText, headText, toRecord } from '../../src/domain/audit.ts'
import type { AuditHead, ChainedEntry, ChainPosition } from '../../src/domain/audit.ts'
import { createChainCheck, checkUnchained } from '../../src/domain/audit-verification.ts'
import type { AuditFault } from '../../src/domain/audit-verification.ts'
import { createAuditor } from '../../src/platform/audit-key.ts'
import { auditor, operator } from '../support/people.ts'

const { keyId, macOf } = auditor

function makeLog(count: number): { readonly entries: ChainedEntry[]; readonly head: AuditHead } {
  const entries = Array.from({ length: count }, (_, nth) => {
    const record = toRecord(
      { action: 'runtime.changed', who: operator, tenantId: randomUUID(), details: { op: 'pause', nth } },
      { entryId: randomUUID(), at: new Date(), macKey: keyId },
    )
    return { ...record, mac: macOf(keyId, entryText(record)) ?? '' }
  })
  const chained = chainEntries(CHAIN_START, entries, keyId, macOf)
  return { entries: chained, head: headOf(chained.at(-1) ?? CHAIN_START) }
}

function headOf({ seq, chainMac }: ChainPosition): AuditHead {
  return { seq, chainMac, macKey: keyId, mac: macOf(keyId, headText({ seq, chainMac })) ?? '' }
}

function verify(
  entries: readonly ChainedEntry[],
  head: AuditHead | undefined,
  anchor?: ChainPosition,
): AuditFault | undefined {
  const check = createChainCheck(CHAIN_START, macOf, anchor)
  for (const entry of entries) {
    const fault = check.take(entry)
    if (fault) return fault
  }
  return check.end(head)
}

const { entries, head } = makeLog(12)
const at = (seq: number): ChainedEntry => entries[seq - 1] ?? expect.fail(`no entry ${seq}`)
const put = (seq: number, changed: Partial<ChainedEntry>) => entries.with(seq - 1, { ...at(seq), ...changed })
const renumbered = (list: readonly ChainedEntry[]) =>
  list.map((entry, index) => ({ ...entry, seq: index + 1 }))
const without = (seq: number) => entries.filter((entry) => entry.seq !== seq)
const junk = () => randomBytes(32).toString('hex')

describe('a log that nobody touched', () => {
  it('is whole, also one that is empty, and one that is anchored', () => {
    expect(verify(entries, head)).toBeUndefined()
    expect(verify([], { ...CHAIN_START, macKey: null, mac: null })).toBeUndefined()
    expect(verify(entries, head, at(7))).toBeUndefined()
    expect(verify(entries, head, at(12))).toBeUndefined()
  })

  it('is whole over a change of the master key, and cannot be verified without the old one', () => {
    const bytes = randomBytes(32)
    const both = createAuditor([
      { id: 'mk2', bytes },
      { id: 'mk1', bytes: randomBytes(32) },
    ])
    const record = { ...at(1), macKey: 'mk2' }
    const entry = { ...record, mac: both.macOf('mk2', entryText(record)) ?? '' }
    const [chained = expect.fail('none')] = chainEntries(CHAIN_START, [entry], 'mk1', both.macOf)
    expect(createChainCheck(CHAIN_START, both.macOf).take(chained)).toBeUndefined()
    const alone = createAuditor([{ id: 'mk2', bytes }])
    expect(createChainCheck(CHAIN_START, alone.macOf).take(chained)).toMatchObject({ kind: 'unknown-key' })
  })
})

describe('what was done to a log', () => {
  it.each([
    ['entryId', randomUUID()],
    ['at', '2026-01-01T00:00:00.000001Z'],
    ['action', 'key.issued'],
    ['tier', 'admin'],
    ['actor', 'operator:nobody'],
    ['tenantId', null],
    ['scopeId', 'default'],
    ['subject', ''],
    ['details', '{"op": "pause", "nth":4}'],
  ])('an edited %s is found where it is', (column, value) => {
    expect(verify(put(5, { [column]: value }), head)).toMatchObject({ index: 5, kind: 'edited' })
  })

  it('edited MACs are found where they are', () => {
    expect(verify(put(5, { mac: junk() }), head)).toMatchObject({ index: 5, kind: 'inserted' })
    expect(verify(put(5, { chainMac: junk() }), head)).toMatchObject({ index: 5, kind: 'moved' })
    expect(verify(put(5, { macKey: 'mk9' }), head)).toMatchObject({ index: 5, kind: 'unknown-key' })
  })

  it('a missing entry is found, whether the gap is left or closed', () => {
    expect(verify(without(5), head)).toMatchObject({ index: 5, kind: 'missing' })
    expect(verify(renumbered(without(5)), head)).toMatchObject({ index: 5, kind: 'moved' })
    expect(verify(renumbered(without(1)), head)).toMatchObject({ index: 1, kind: 'moved' })
  })

  it('swapped entries are found at the first of them, whatever moves with them', () => {
    const swapped = entries.with(3, { ...at(9), seq: 4 }).with(8, { ...at(4), seq: 9 })
    expect(verify(swapped, head)).toMatchObject({ index: 4, kind: 'moved' })
    const { chainMac: fourth } = at(4)
    const inPlace = entries.with(3, { ...at(9), seq: 4, chainMac: fourth })
    expect(verify(inPlace, head)).toMatchObject({ index: 4, kind: 'moved' })
  })

  it('an entry that was put in is found, copied or made up, in the middle and at the end', () => {
    const copy = renumbered([...entries.slice(0, 5), at(2), ...entries.slice(5)])
    expect(verify(copy, head)).toMatchObject({ index: 6, kind: 'moved' })
    const madeUp = { ...at(2), mac: junk(), chainMac: junk() }
    const inserted = renumbered([...entries.slice(0, 5), madeUp, ...entries.slice(5)])
    expect(verify(inserted, head)).toMatchObject({ index: 6, kind: 'inserted' })
    expect(verify([...entries, { ...madeUp, seq: 13 }], head)).toMatchObject({ index: 13, kind: 'inserted' })
    expect(verify([...entries.slice(0, 5), at(5), ...entries.slice(5)], head)).toMatchObject({
      index: 6,
      kind: 'inserted',
    })
  })

  it('a log that was cut is missed by its head, and by its anchor when the head was put back as well', () => {
    const cut = entries.slice(0, 8)
    expect(verify(cut, head)).toMatchObject({ index: 9, kind: 'truncated' })
    expect(verify(cut, undefined)).toMatchObject({ index: 9, kind: 'truncated' })
    expect(verify(cut, { ...head, seq: 8, chainMac: at(8).chainMac })).toMatchObject({
      index: 9,
      kind: 'head',
    })
    expect(verify(cut, headOf(at(8)))).toBeUndefined()
    expect(verify(cut, headOf(at(8)), at(12))).toMatchObject({ index: 9, kind: 'truncated' })
    expect(verify(entries, headOf(at(8)))).toMatchObject({ index: 9, kind: 'head' })
  })

  it('another log of the same length is not the one that was anchored', () => {
    const other = makeLog(12)
    expect(verify(other.entries, other.head, at(7))).toMatchObject({ index: 7, kind: 'anchor' })
    expect(verify(entries, other.head)).toMatchObject({ index: 12, kind: 'head' })
  })

  it('an entry that is not chained yet is distinguished from a forged one', () => {
    expect(checkUnchained(head, at(3), macOf)).toBeUndefined()
    expect(checkUnchained(head, { ...at(3), actor: 'nobody' }, macOf)).toMatchObject({
      index: 13,
      kind: 'inserted',
    })
  })
})
