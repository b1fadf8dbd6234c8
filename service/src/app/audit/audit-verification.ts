/** Verifies and exports the audit log for its operator. It verifies every entry, in the database or in an export. */
import { CHAIN_START } from '../../domain/audit.ts'
import type { AuditEntry, AuditHead, ChainedEntry, ChainPosition } from '../../domain/audit.ts'
import { createChainCheck, checkUnchained } from '../../domain/audit-verification.ts'
import type { AuditFault } from '../../domain/audit-verification.ts'
import type { Auditor } from '../../platform/audit-key.ts'
import * as store from '../../store/audit/audit.ts'
import type { Pool } from '../../store/pools.ts'
import { readAuditLine, toEntryLine, toHeadLine, toStartLine } from './audit-lines.ts'

export type { AuditFault, ChainPosition }

export interface AuditDeps {
  readonly pools: { readonly kernel: Pick<Pool, 'query'> }
  readonly auditor: Auditor
}

export interface AuditVerdict {
  /** The number of valid entries in the chain. */
  readonly entries: number
  /** The last position without a fault. */
  readonly seq: number
  /** The number of entries that are not chained yet. */
  readonly unchained: number
  readonly fault: AuditFault | null
}

/** The number of entries per page. Only one page is in memory. */
const PAGE = 1_000

export async function verifyAudit(
  { pools: { kernel }, auditor: { macOf } }: AuditDeps,
  anchor?: ChainPosition,
): Promise<AuditVerdict> {
  // The end is read first, so that entries which are chained from now on are neither checked nor missed.
  const { head, lastSeq } = await store.selectAuditEnd(kernel)
  const check = createChainCheck(CHAIN_START, macOf, anchor)
  const verdict = (fault: AuditFault | undefined, unchained = 0): AuditVerdict => {
    const { seq } = check.position
    return { entries: seq, seq, unchained, fault: fault ?? null }
  }
  for await (const entry of everyChained(kernel, undefined, lastSeq)) {
    const fault = check.take(entry)
    if (fault) return verdict(fault)
  }
  const cut = check.end(head)
  if (cut) return verdict(cut)
  let unchained = 0
  for await (const entry of everyUnchained(kernel)) {
    const fault = checkUnchained(check.position, entry, macOf)
    if (fault) return verdict(fault, unchained)
    unchained += 1
  }
  return verdict(undefined, unchained)
}

/** Verifies an export: its first line is the start position, its last line the head. */
export async function verifyAuditExport(
  { macOf }: Auditor,
  lines: AsyncIterable<string>,
  anchor?: ChainPosition,
): Promise<AuditVerdict> {
  let check = createChainCheck(CHAIN_START, macOf, anchor)
  let start: ChainPosition | undefined
  let head: AuditHead | undefined
  const verdict = (fault: AuditFault | undefined): AuditVerdict => {
    const { seq } = check.position
    return { entries: seq - (start?.seq ?? 0), seq, unchained: 0, fault: fault ?? null }
  }
  for await (const text of lines) {
    const line = readAuditLine(text)
    const index = check.position.seq + 1
    if (line.kind === 'start' && !start) {
      start = line.start
      check = createChainCheck(start, macOf, anchor)
    } else if (line.kind === 'entry' && start && !head) {
      const fault = check.take(line.entry)
      if (fault) return verdict(fault)
    } else if (line.kind === 'head' && start && !head) head = line.head
    else return verdict({ index, kind: 'edited', detail: 'a line is not one of an export, or out of place' })
  }
  return verdict(check.end(head))
}

/** Yields the lines of an export up to the present end of the log. */
export async function* exportAudit(
  { pools: { kernel } }: AuditDeps,
  afterSeq: number,
): AsyncGenerator<string> {
  const { head, lastSeq } = await store.selectAuditEnd(kernel)
  const start = afterSeq === 0 ? CHAIN_START : await store.selectChainPosition(kernel, afterSeq)
  if (!start) throw new Error(`The audit log has no entry ${afterSeq}; it ends at ${lastSeq}`)
  yield toStartLine(start)
  for await (const entry of everyChained(kernel, afterSeq === 0 ? undefined : afterSeq, lastSeq))
    yield toEntryLine(entry)
  if (head) yield toHeadLine(head)
}

async function* everyChained(
  kernel: Pick<Pool, 'query'>,
  afterSeq: number | undefined,
  lastSeq: number,
): AsyncGenerator<ChainedEntry> {
  let after = afterSeq
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const page = await store.selectChained(kernel, after, PAGE)
    for (const entry of page) if (entry.seq <= lastSeq) yield entry
    after = page.at(-1)?.seq
    if (page.length < PAGE || after === undefined || after >= lastSeq) return
  }
}

async function* everyUnchained(kernel: Pick<Pool, 'query'>): AsyncGenerator<AuditEntry> {
  let after: AuditEntry | undefined
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const page: readonly AuditEntry[] = await store.selectUnchained(kernel, after, PAGE)
    yield* page
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}
