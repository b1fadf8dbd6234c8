/**
 * The events of all scopes, for the operator: complete, each once, in an order that is the same for every reader and
 * in which those of a scope stand as in its own log.
 *
 * Numbers are given out before a commit, so a number that is missing may still come. The reader therefore goes only as
 * far as the last number that had been given out when every transaction of that moment had ended.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Fault } from '../../domain/fault.ts'
import type { Pool, Pools } from '../../store/pools.ts'
import {
  drawTransactionId,
  selectKernelLog,
  selectKernelSeq,
  selectLogStart,
  selectOldestRunning,
} from '../../store/scopes/scope-log.ts'
import type { KernelLogEntry, KernelPosition } from '../../store/scopes/scope-log.ts'

export type { KernelLogEntry, KernelPosition }

export interface KernelFeedDeps {
  readonly pools: Pools
}

export interface KernelFollowOptions {
  readonly after: KernelPosition
  readonly signal: AbortSignal
  readonly receive: (entries: readonly KernelLogEntry[]) => Promise<void>
  /** The position is ahead of everything there is, as after the database was restored from a copy; or what follows it is kept no longer. */
  readonly resync: (head: KernelPosition) => Promise<void>
}

const PAGE = 500
/** The numbers are read in stretches: the index knows where they are, not in which order. */
const STRETCH = 500
const LOOK_EVERY_MS = 250
const LOOK_AGAIN_MS = 20
/** Longer than any transaction of ours may stay open. */
const HEAD_PATIENCE_MS = 12_000

/** Where a reader begins who wants only what is new. What commits after this has resolved is behind it. */
export async function kernelHead({ pools }: KernelFeedDeps): Promise<KernelPosition> {
  const settled = await settledSeq(pools.kernel, AbortSignal.timeout(HEAD_PATIENCE_MS))
  if (settled === undefined) throw new Fault('unavailable', { internal: 'a transaction does not end' })
  return endOf(settled)
}

/** Polls: there are few operators, and the order across scopes is known only once transactions have ended. */
export async function followKernel(deps: KernelFeedDeps, options: KernelFollowOptions): Promise<void> {
  const { signal } = options
  const { kernel } = deps.pools
  let position = await placeReader(deps, options)
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const settled = (await settledSeq(kernel, signal)) ?? 0
    // oxlint-disable-next-line no-await-in-loop -- the follower sets the pace
    if (settled > position.kernelSeq) position = await readUpTo(kernel, position, settled, options)
    // oxlint-disable-next-line no-await-in-loop -- waits for news
    else await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Undefined when the signal was given before it was known. */
async function settledSeq(kernel: Pool, signal: AbortSignal): Promise<number | undefined> {
  const last = await selectKernelSeq(kernel)
  // Drawn second: whoever has drawn that number has an older id.
  const now = await drawTransactionId(kernel)
  // oxlint-disable-next-line no-await-in-loop -- until all that ran have ended
  while ((await selectOldestRunning(kernel)) <= now) {
    if (signal.aborted) return undefined
    // oxlint-disable-next-line no-await-in-loop -- until all that ran have ended
    await delay(LOOK_AGAIN_MS)
  }
  return last
}

async function readUpTo(
  kernel: Pool,
  start: KernelPosition,
  settled: number,
  { signal, receive, resync }: KernelFollowOptions,
): Promise<KernelPosition> {
  let position = start
  while (position.kernelSeq < settled && !signal.aborted) {
    const until = Math.min(position.kernelSeq + STRETCH, settled)
    // oxlint-disable-next-line no-await-in-loop -- each page follows the one before
    const entries = await selectKernelLog(kernel, position, { until, limit: PAGE })
    // Asked afterwards: it knows of whatever was missing in the page.
    // oxlint-disable-next-line no-await-in-loop -- each page follows the one before
    const logStart = await selectLogStart(kernel)
    if (isBehind(position, logStart)) {
      position = endOf(logStart)
      // oxlint-disable-next-line no-await-in-loop -- the follower sets the pace
      await resync(position)
      continue
    }
    // oxlint-disable-next-line no-await-in-loop -- the follower sets the pace
    if (entries.length > 0) await receive(entries)
    const last = entries.length === PAGE ? entries.at(-1) : undefined
    position = last?.position ?? endOf(until)
  }
  return position
}

async function placeReader(
  { pools }: KernelFeedDeps,
  { after, resync }: KernelFollowOptions,
): Promise<KernelPosition> {
  const last = await selectKernelSeq(pools.kernel)
  if (after.kernelSeq <= last) return after
  await resync(endOf(last))
  return endOf(last)
}

/** Entries after the position may have been removed. */
function isBehind({ kernelSeq, tenantId }: KernelPosition, logStart: number): boolean {
  return kernelSeq < logStart || (logStart > 0 && kernelSeq === logStart && tenantId !== LAST_TENANT)
}

const LAST_TENANT = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Behind everything that was written under the number. */
function endOf(kernelSeq: number): KernelPosition {
  return { kernelSeq, tenantId: LAST_TENANT, scopeId: '', seq: 0 }
}
