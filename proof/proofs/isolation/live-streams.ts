/**
 * Both twins follow the scope that has the same name on both sides, from the beginning of its log and on every process,
 * while both write into it at the same time. Each must hear all of its own, in order and without a gap, and nothing of
 * the other.
 */
import { waitUntil } from '@concord/tools/launch'
import { openStream } from '../../harness/http/event-stream.ts'
import type { RawEventStream } from '../../harness/http/event-stream.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { sum } from '../../harness/statistics.ts'
import { ingestRequest } from './crossed-documents.ts'
import { findForeign, NOTHING } from './foreign.ts'
import { castOf } from './requests.ts'
import type { IsolationStage } from './stage.ts'
import { DOCUMENT_SCOPE_ID, freshCanary } from './twin-documents.ts'
import type { Side } from './twin-documents.ts'
import { freshDocument } from './valid-values.ts'

interface Follower {
  readonly side: Side
  readonly stream: RawEventStream
}

type DocumentMarks = Readonly<Record<Side, string>>

const DOCUMENTS = 10
const TIMEOUT_MS = 30_000
const SIDES: readonly Side[] = ['left', 'right']

/** `when` says which lock is off. */
export async function proveLiveStreams(
  { figures }: ProofRun,
  stage: IsolationStage,
  when: string,
): Promise<void> {
  const { streams, missing, foreignBytes } = await followBoth(stage)
  figures.note(`${when}event streams followed`, streams)
  figures.exactly(`${when}own events that they missed`, missing, 0)
  figures.exactly(`${when}foreign bytes in them`, foreignBytes, 0)
}

/** `timeoutMs` is how long to wait for what should come; less will do where much is known to be missing. */
export async function followBoth(stage: IsolationStage, timeoutMs = TIMEOUT_MS) {
  const marks: DocumentMarks = { left: freshCanary(), right: freshCanary() }
  const followers = (await Promise.all(SIDES.map((side) => follow(stage, side)))).flat()
  const missed = () => followers.map(({ side, stream }) => DOCUMENTS - heard(stream, marks[side]))
  try {
    await Promise.all(SIDES.map((side) => write(stage, side, marks[side])))
    await waitUntil(() => sum(missed()) === 0, { what: 'all events', withinMs: timeoutMs }).catch(() => false)
    const foreign = followers.map((follower) => foreignBytesOf(stage, follower, marks))
    return { streams: followers.length, missing: sum(missed()), foreignBytes: sum(foreign) }
  } finally {
    for (const { stream } of followers) stream.close()
  }
}

/** Follows as the tenant on both processes, and as its administrator. */
async function follow(stage: IsolationStage, side: Side): Promise<Follower[]> {
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

/** Alternately on both processes; a document that is refused here will be missed there. */
async function write(stage: IsolationStage, side: Side, mark: string): Promise<void> {
  const { own } = castOf(stage, side)
  for (let at = 0; at < DOCUMENTS; at += 1) {
    const document = { document_id: `live-${mark}-${at}`, ...freshDocument() }
    await stage.send('key', at, ingestRequest(own, document))
  }
}

/** How many documents with this mark came, as long as every position follows the one before. */
function heard(stream: RawEventStream, mark: string): number {
  let count = 0
  let last: number | undefined
  for (const { id, data } of stream.frames()) {
    const position = Number(id)
    if (last !== undefined && position !== last + 1) return count
    last = position
    if (data.includes(mark)) count += 1
  }
  return count
}

function foreignBytesOf({ twins }: IsolationStage, { side, stream }: Follower, marks: DocumentMarks): number {
  const own = [twins[side]]
  const foreignMark = marks[side === 'left' ? 'right' : 'left']
  const sight = { ...NOTHING, tenantIds: own, ids: own, content: own }
  const { bytes } = findForeign(twins, sight, { path: '' }, { headers: new Map(), text: stream.text() })
  return bytes + foreignMark.length * (stream.text().split(foreignMark).length - 1)
}
