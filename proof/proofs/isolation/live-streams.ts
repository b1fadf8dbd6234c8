/**
 * Both twins follow the scope that has the same name on both sides, from the beginning of its log and on every process,
 * while both write into it at the same time. Each must hear all of its own, in order and without a gap, and nothing of
 * the other.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { openStream } from '../../harness/http/event-stream.ts'
import type { EventStream } from '../../harness/http/event-stream.ts'
import { freshCanary } from './canary.ts'
import { findForeign, NOTHING } from './foreign.ts'
import { castOf } from './requests.ts'
import type { Stage } from './stage.ts'
import { DOCUMENT_SCOPE_ID } from './twin-documents.ts'
import type { Side } from './twin-documents.ts'
import type { Twin } from './twins.ts'
import { freshDocument } from './valid-values.ts'
import { sum } from '../../harness/statistics.ts'

export interface LiveFindings {
  readonly streams: number
  /** Own documents that a stream did not tell of, once and in its place. */
  readonly missing: number
  readonly foreignBytes: number
}

interface Follower {
  readonly side: Side
  readonly stream: EventStream
}

const DOCUMENTS = 10
const PATIENCE_MS = 5_000
const SIDES: readonly Side[] = ['left', 'right']

/** `patienceMs` is how long to wait for what should come; less will do where much is known to be missing. */
export async function runLiveStreams(stage: Stage, patienceMs = PATIENCE_MS): Promise<LiveFindings> {
  const marks: Readonly<Record<Side, string>> = { left: freshCanary(), right: freshCanary() }
  const followers = (await Promise.all(SIDES.map((side) => follow(stage, side)))).flat()
  try {
    await Promise.all(SIDES.map((side) => write(stage, side, marks[side])))
    await untilHeard(followers, marks, patienceMs)
    const missing = followers.map(({ side, stream }) => DOCUMENTS - heard(stream, marks[side]))
    const foreign = followers.map((follower) => foreignBytes(stage, follower, marks))
    return { streams: followers.length, missing: sum(missing), foreignBytes: sum(foreign) }
  } finally {
    for (const { stream } of followers) stream.close()
  }
}

/** As the tenant on both processes, and as its administrator. */
async function follow(stage: Stage, side: Side): Promise<Follower[]> {
  const { own, admin } = castOf(stage, side)
  const openings = [
    { replica: 0, tier: 'api', keys: { bearer: own.key } },
    { replica: 1, tier: 'api', keys: { bearer: own.key } },
    { replica: 1, tier: 'admin', keys: { bearer: admin, tenantKey: own.key } },
  ]
  return Promise.all(
    openings.map(async ({ replica, tier, keys }) => {
      const path = `/${tier}/scopes/${DOCUMENT_SCOPE_ID}/events?after=0`
      const stream = await openStream(stage.urlOf('key', replica), { path, ...keys })
      if (stream.status !== 200) throw new Error(`${path} answered ${stream.status}: ${stream.text()}`)
      return { side, stream }
    }),
  )
}

/** Alternately on both processes; whoever is refused here will be missed there. */
async function write(stage: Stage, side: Side, mark: string): Promise<void> {
  const { tenantId, key } = castOf(stage, side).own
  for (let at = 0; at < DOCUMENTS; at += 1)
    await stage.send('key', at, {
      method: 'POST',
      path: '/api/ingest',
      headers: [
        ['Authorization', `Bearer ${key}`],
        ['X-Tenant-ID', tenantId],
      ],
      body: JSON.stringify({
        scope_id: DOCUMENT_SCOPE_ID,
        document_id: `live-${mark}-${at}`,
        ...freshDocument(),
      }),
    })
}

async function untilHeard(
  followers: readonly Follower[],
  marks: Readonly<Record<Side, string>>,
  patienceMs: number,
): Promise<void> {
  const deadline = performance.now() + patienceMs
  const isDone = ({ side, stream }: Follower) => heard(stream, marks[side]) === DOCUMENTS
  while (!followers.every(isDone) && performance.now() < deadline) await delay(50)
}

/** How many documents with this mark came, as long as every position follows the one before. */
function heard(stream: EventStream, mark: string): number {
  let told = 0
  let last: number | undefined
  for (const { id, data } of stream.frames()) {
    const position = Number(id)
    if (last !== undefined && position !== last + 1) return told
    last = position
    if (data.includes(mark)) told += 1
  }
  return told
}

function foreignBytes(
  { twins }: Stage,
  { side, stream }: Follower,
  marks: Readonly<Record<Side, string>>,
): number {
  const own: Twin = twins[side]
  const foreignMark = marks[side === 'left' ? 'right' : 'left']
  const text = stream.text()
  const request = { method: 'GET', path: '', headers: [] }
  const sight = { ...NOTHING, tenantIds: [own], ids: [own], content: [own] }
  const { bytes } = findForeign(twins, sight, request, { status: 200, headers: [], body: text })
  return bytes + foreignMark.length * (text.split(foreignMark).length - 1)
}
