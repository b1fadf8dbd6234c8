/** The audit log as its operator reads it: verified entry by entry, in the database or in an export. */
import { CHAIN_START } from '../../domain/audit.ts'
import type { AuditEntry, AuditHead, ChainedEntry, ChainPlace } from '../../domain/audit.ts'
import { createChainCheck, judgeUnchained } from '../../domain/audit-verifying.ts'
import type { AuditFault } from '../../domain/audit-verifying.ts'
import type { Auditor } from '../../platform/audit-key.ts'
import * as store from '../../store/audit/audit.ts'
import type { Pool } from '../../store/pools.ts'
import { readAuditLine, toEntryLine, toHeadLine, toStartLine } from './audit-lines.ts'

export type { AuditFault, ChainPlace }

export interface AuditDeps {
  readonly pools: { readonly kernel: Pick<Pool, 'query'> }
  readonly auditor: Auditor
}

export interface AuditVerdict {
  /** How many are as they should be, those without a place not counted. */
  readonly entries: number
  /** Up to which place all is well. */
  readonly seq: number
  /** How many have no place yet. */
  readonly unchained: number
  readonly fault: AuditFault | null
}

/** One page is all that is ever in memory. */
const PAGE = 1_000

export async function verifyAudit(
  { pools: { kernel }, auditor: { macOf } }: AuditDeps,
  anchor?: ChainPlace,
): Promise<AuditVerdict> {
  // First: what gets its place from now on is not looked at, and not missed.
  const { head, lastSeq } = await store.selectAuditEnd(kernel)
  const check = createChainCheck(CHAIN_START, macOf, anchor)
  const verdict = (fault: AuditFault | undefined, unchained = 0): AuditVerdict => {
    const { seq } = check.place
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
    const fault = judgeUnchained(check.place, entry, macOf)
    if (fault) return verdict(fault, unchained)
    unchained += 1
  }
  return verdict(undefined, unchained)
}

/** An export begins with where it starts and ends with where the log ended. */
export async function verifyAuditExport(
  { macOf }: Auditor,
  lines: AsyncIterable<string>,
  anchor?: ChainPlace,
): Promise<AuditVerdict> {
  let check = createChainCheck(CHAIN_START, macOf, anchor)
  let start: ChainPlace | undefined
  let head: AuditHead | undefined
  const verdict = (fault: AuditFault | undefined): AuditVerdict => {
    const { seq } = check.place
    return { entries: seq - (start?.seq ?? 0), seq, unchained: 0, fault: fault ?? null }
  }
  for await (const text of lines) {
    const line = readAuditLine(text)
    const index = check.place.seq + 1
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

/** In lines, up to where the log ends now. */
export async function* exportAudit(
  { pools: { kernel } }: AuditDeps,
  afterSeq: number,
): AsyncGenerator<string> {
  const { head, lastSeq } = await store.selectAuditEnd(kernel)
  const start = afterSeq === 0 ? CHAIN_START : await store.selectChainPlace(kernel, afterSeq)
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
