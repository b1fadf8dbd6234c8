/**
 * Records audit entries and links them into the hash chain. An action records its entry in its own transaction, so the
 * entry exists exactly if the action was committed. Recording takes no lock; the dispatcher chains the entries later.
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
import type { AuditEntry, AuditEvent, AuditHead, ChainPosition } from '../../domain/audit.ts'
import type { Auditor } from '../../platform/audit-key.ts'
import type { Log } from '../../platform/log.ts'
import * as store from '../../store/audit/audit.ts'
import type { PoolConnection, Pool } from '../../store/pools.ts'
import { inService } from '../../store/transaction.ts'

export type { Auditor }

/**
 * Records the events in the transaction of their action. An event of a tenant needs a transaction of that tenant
 * (`inTenant`, `enterTenant`); otherwise row-level security refuses it.
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

/**
 * Stands for a document's id, which may be any text and must not outlive its scope. Equal ids have equal fingerprints.
 */
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

/** The maximum number of entries that one transaction chains. */
const BATCH = 500

/**
 * Chains the waiting entries in batches until none waits. Only one process chains at a time; a second one returns at
 * once. Returns the new head, or undefined if nothing was chained.
 */
export async function chainAudit(deps: ChainingDeps): Promise<ChainPosition | undefined> {
  let head: ChainPosition | undefined
  // oxlint-disable-next-line no-await-in-loop -- each batch continues from the one before
  while (await store.hasUnchained(deps.kernel)) {
    // oxlint-disable-next-line no-await-in-loop -- each batch continues from the one before
    const next = await inService(deps.kernel, (connection) => chainBatch(deps, connection))
    if (!next) break
    head = next
  }
  return head
}

async function chainBatch(
  { auditor, log }: ChainingDeps,
  connection: PoolConnection,
): Promise<ChainPosition | undefined> {
  if (!(await store.holdAuditChain(connection))) return undefined
  const head = requireHead(auditor, await store.selectAuditHead(connection))
  const waiting = await store.selectUnchained(connection, undefined, BATCH)
  for (const entry of waiting)
    // A faulty entry is chained too, so that the fault stays visible and delays no other entry.
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
