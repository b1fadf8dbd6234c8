/**
 * Recording in the audit log, and giving what was recorded its place in the chain. Whoever acts records in his own
 * transaction, so an entry is there exactly if the act was committed; recording waits for nobody.
 */
import { randomUUID } from 'node:crypto'
import {
  chainEntries,
  documentText,
  entryText,
  headText,
  isGenuine,
  isGenuineHead,
  toRecord,
} from '../../domain/audit.ts'
import type { AuditEntry, AuditEvent, AuditHead, ChainPlace } from '../../domain/audit.ts'
import type { Auditor } from '../../platform/audit-key.ts'
import type { Log } from '../../platform/log.ts'
import * as store from '../../store/audit/audit.ts'
import type { PoolConnection, Pool } from '../../store/pools.ts'
import { inService } from '../../store/transaction.ts'

export type { Auditor }

/**
 * In the transaction of what it tells of. An event of a tenant needs a transaction of that tenant (`inTenant`, `enterTenant`);
 * row-level security refuses it elsewhere.
 */
export async function recordAudit(
  connection: Pick<PoolConnection, 'query'>,
  auditor: Auditor,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return
  const at = new Date()
  await store.insertAuditEntries(
    connection,
    events.map((event) => signEntry(auditor, event, at)),
  )
}

/** In the place of a document's id, which may be any text and must not outlive its scope: the same for the same id. */
export function documentFingerprint(
  { keyId, macOf }: Auditor,
  tenantId: string,
  scopeId: string,
  documentId: string,
): string {
  return (macOf(keyId, documentText(tenantId, scopeId, documentId)) ?? '').slice(0, 32)
}

function signEntry({ keyId, macOf }: Auditor, event: AuditEvent, at: Date): AuditEntry {
  const record = toRecord(event, { entryId: randomUUID(), at, macKey: keyId })
  return { ...record, mac: requireMac(macOf(keyId, entryText(record))) }
}

function requireMac(mac: string | undefined): string {
  if (mac === undefined) throw new TypeError('The master key that is in use is not configured')
  return mac
}

export interface ChainingDeps {
  /** Runs as the kernel role. */
  readonly kernel: Pool
  readonly auditor: Auditor
  readonly log: Log
}

/** The largest number of entries that get their places in one transaction. */
const BATCH = 500

/**
 * Gives the entries that wait their places, a batch at a time, until none waits. One does it at a time; whoever comes
 * second leaves it to the first. Returns the head it left, or undefined where it had nothing to do.
 */
export async function chainAudit(deps: ChainingDeps): Promise<ChainPlace | undefined> {
  let head: ChainPlace | undefined
  // oxlint-disable-next-line no-await-in-loop -- each batch goes on from the one before
  while (await store.hasUnchained(deps.kernel)) {
    // oxlint-disable-next-line no-await-in-loop -- each batch goes on from the one before
    const next = await inService(deps.kernel, (connection) => chainBatch(deps, connection))
    if (!next) break
    head = next
  }
  return head
}

async function chainBatch(
  { auditor, log }: ChainingDeps,
  connection: PoolConnection,
): Promise<ChainPlace | undefined> {
  if (!(await store.holdAuditChain(connection))) return undefined
  const head = requireHead(auditor, await store.selectAuditHead(connection))
  const waiting = await store.selectUnchained(connection, undefined, BATCH)
  for (const entry of waiting)
    // It gets its place all the same: what is wrong is to be seen for good, and must not keep others waiting.
    if (!isGenuine(entry, auditor.macOf))
      log.error({ entry_id: entry.entryId }, 'an audit entry is not one that this service recorded')
  const chained = chainEntries(head, waiting, auditor.keyId, auditor.macOf)
  const last = chained.at(-1)
  if (!last) return undefined
  const { seq, chainMac } = last
  const mac = requireMac(auditor.macOf(auditor.keyId, headText(last)))
  await store.giveAuditPlaces(connection, chained, { seq, chainMac, macKey: auditor.keyId, mac })
  return { seq, chainMac }
}

function requireHead(auditor: Auditor, head: AuditHead | undefined): AuditHead {
  if (head && isGenuineHead(head, auditor.macOf)) return head
  throw new Error('the head of the audit log is not as it was left; run concord audit verify')
}
