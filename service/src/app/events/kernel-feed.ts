/**
 * Feeds the operator with the events of all scopes: complete, each once, in the same order for every reader. Events of one scope
 * are in the order of its log.
 *
 * Sequence numbers are assigned before the commit, so a missing number may still appear. A reader therefore reads only up to a number
 * below which every transaction has ended.
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
  /** Called if the position is ahead of the log, as after a restore from a backup, or if the entries after it are no longer retained. */
  readonly resync: (head: KernelPosition) => Promise<void>
}

const PAGE = 500
/** Numbers are read in ranges, because the index finds them but does not order them. */
const STRETCH = 500
const LOOK_EVERY_MS = 250
const LOOK_AGAIN_MS = 20
/** Longer than any of our transactions may stay open. */
const HEAD_PATIENCE_MS = 12_000

/** Returns the position to start from for new events only. Everything that commits after this resolves is behind it. */
export async function kernelHead({ pools }: KernelFeedDeps): Promise<KernelPosition> {
  const settled = await settledSeq(pools.kernel, AbortSignal.timeout(HEAD_PATIENCE_MS))
  if (settled === undefined) throw new Fault('unavailable', { internal: 'a transaction does not end' })
  return endOf(settled)
}

/** Polls, because there are few operators and the order across scopes is known only after transactions have ended. */
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

/** Returns undefined if the signal aborts first. */
async function settledSeq(kernel: Pool, signal: AbortSignal): Promise<number | undefined> {
  const last = await selectKernelSeq(kernel)
  // Drawn second, so that every transaction that has drawn a number up to this one has an older id.
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

/** True if entries after the position may have been deleted. */
function isBehind({ kernelSeq, tenantId }: KernelPosition, logStart: number): boolean {
  return kernelSeq < logStart || (logStart > 0 && kernelSeq === logStart && tenantId !== LAST_TENANT)
}

const LAST_TENANT = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns the position behind everything with this number. */
function endOf(kernelSeq: number): KernelPosition {
  return { kernelSeq, tenantId: LAST_TENANT, scopeId: '', seq: 0 }
}
