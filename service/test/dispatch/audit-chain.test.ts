import { describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { recordAudit } from '../../src/app/audit/audit.ts'
import { createAuditChain } from '../../src/dispatch/audit-chain.ts'
import { selectAuditStats } from '../../src/store/audit/audit.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { createMemoryLog } from '../support/log.ts'
import { auditor, operator } from '../support/people.ts'
import { usePools } from '../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)

const figures = () => selectAuditStats(pools().kernel)
const record = () => recordAudit(pools().tenant, auditor, [{ action: 'scope.reset', who: operator }])
const allChained = () =>
  waitUntil(async () => (await figures()).unchained === 0, {
    what: 'every entry has its place',
    withinMs: 10_000,
  })

function open(logEveryMs: number) {
  const { log, lines } = createMemoryLog()
  const part = createAuditChain({ kernel: pools().kernel, auditor, log, lookEveryMs: 20, logEveryMs })
  const heads = () => lines().filter(({ msg }) => msg === 'audit head')
  return { part, lines, heads }
}

describe('the audit chain of a dispatcher', () => {
  it('chains recorded entries and logs the head of the chain', async () => {
    const before = await figures()
    await record()
    expect(await figures()).toEqual({ ...before, unchained: 1, oldestUnchainedMs: expect.any(Number) })
    const { part, heads } = open(0)
    await part.start()
    await allChained()
    await record()
    await allChained()
    await part.stop()
    const { seq, chainMac, oldestUnchainedMs } = await figures()
    expect([seq, oldestUnchainedMs]).toEqual([before.seq + 2, null])
    expect(heads().at(-1)).toMatchObject({ audit_seq: seq, audit_head: chainMac })
  })

  it('logs the head at most once per interval, and once more at the end', async () => {
    const { part, heads } = open(3_600_000)
    const { seq: before } = await figures()
    await part.start()
    await record()
    await allChained()
    await waitUntil(() => heads().length === 1, { what: 'the first line', withinMs: 5_000 })
    await record()
    await allChained()
    expect(heads()).toHaveLength(1)
    await part.stop()
    expect(heads().map(({ audit_seq: seq }) => seq)).toEqual([before + 1, before + 2])
  })

  it('reports an entry that was recorded without the key, and chains it', async () => {
    await record()
    await look(
      database(),
      `set session_replication_role = replica; update audit_log set actor = 'nobody' where seq is null`,
    )
    const { part, lines } = open(0)
    await part.start()
    await allChained()
    await part.stop()
    expect(lines()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: expect.stringContaining('not one that this service recorded'),
      }),
    )
  })

  it('retries and logs while the head was changed by others', async () => {
    await look(database(), 'alter table audit_head disable trigger kept; update audit_head set seq = seq + 1')
    await record()
    const { part, lines } = open(0)
    await part.start()
    await waitUntil(() => lines().length > 1, { what: 'two attempts', withinMs: 10_000 })
    await look(database(), 'update audit_head set seq = seq - 1; alter table audit_head enable trigger kept')
    await allChained()
    await part.stop()
    expect(lines()[0]).toMatchObject({ level: 'warn', msg: expect.stringContaining('tried again') })
  })
})
