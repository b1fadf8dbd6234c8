/** Asks the service itself for all it would tell of a scope: lists, every document by its id, and every stream. */
import { waitUntil } from '@concord/tools/launch'
import { readFrames } from '../../harness/http/event-frames.ts'
import { openStream } from '../../harness/http/event-stream.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import type { HttpRequest, HttpResponse } from '../../harness/http.ts'
import type { Site } from './site.ts'
import type { ErasureStage } from './stage.ts'

export type RecordedAnswers = Awaited<ReturnType<typeof askAll>>

/** How far a stream must have come: what is written before it in the log has come by then. */
export interface Until {
  readonly event: string
  readonly times: number
}

const AT_ONCE = 8
const TIMEOUT_MS = 15_000
/** Before everything on the stream of all scopes. */
const BEGINNING = '0.00000000-0000-0000-0000-000000000000.0.'

export async function askAll(stage: ErasureStage, site: Site, until: Until) {
  const { client, tenant } = stage
  const texts: string[] = []
  const ask = async (path: string) => {
    const response = await client.send({ path, bearer: tenant.key })
    texts.push(response.text)
    return response
  }
  const scope = `/api/scopes/${site.scopeId}`
  await ask('/api/scopes')
  await ask(scope)
  const listed = await list(ask, `${scope}/documents`)
  const claims = await list(ask, `${scope}/claims`)
  const contradictions = await list(ask, `${scope}/contradictions`)
  const decisions = await list(ask, `${scope}/decisions`)
  const statuses: number[] = []
  await inParallel(site.documents, AT_ONCE, async ({ id }) => {
    statuses.push((await ask(`${scope}/documents/${id}`)).status)
  })
  const streams = await Promise.all(streamsOf(stage, site).map((each) => listen(client.url, each, until)))
  texts.push(...streams.map(({ text }) => text))
  const countWith = (mark: string) => texts.filter((text) => text.includes(mark)).length
  return {
    listed,
    claims,
    contradictions,
    decisions,
    /** Documents that were answered with 200 when asked for by id, and with 404. */
    found: statuses.filter((status) => status === 200).length,
    missing: statuses.filter((status) => status === 404).length,
    answers: texts.length,
    /** Answers and streams in which a word of content stands; names and quotes are shown to whoever may see them. */
    content: countWith(site.contentMark),
    /** The same with ids of documents. */
    ids: countWith(site.idMark),
    /** Streams that came as far as they should. */
    streams: streams.filter(({ whole }) => whole).length,
  }
}

async function list(ask: (path: string) => Promise<HttpResponse>, path: string): Promise<number> {
  let listed = 0
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const { status, text } = await ask(`${path}?limit=100${query}`)
    if (status !== 200) throw new Error(`The list answered ${status}: ${text}`)
    const page = JSON.parse(text) as { items: readonly unknown[]; next_cursor: string | null }
    listed += page.items.length
    cursor = page.next_cursor
  } while (cursor !== null)
  return listed
}

/** Each from its beginning: as the tenant, as its administrator, and as the operator who sees all scopes. */
function streamsOf({ tenant, admin, internals }: ErasureStage, { scopeId }: Site): HttpRequest[] {
  return [
    { path: `/api/scopes/${scopeId}/events?after=0`, bearer: tenant.key },
    { path: `/admin/scopes/${scopeId}/events?after=0`, bearer: admin, tenantKey: tenant.key },
    { path: `/internals/kernel/events?after=${BEGINNING}`, bearer: internals },
  ]
}

async function listen(url: string, request: HttpRequest, until: Until) {
  using stream = await openStream(url, request)
  const whole = await waitUntil(() => hasCome(stream.text(), until), {
    what: `${until.times} times ${until.event}`,
    withinMs: TIMEOUT_MS,
  }).catch(() => false)
  return { text: stream.text(), whole }
}

export function hasCome(text: string, { event, times }: Until): boolean {
  return readFrames(text).filter((frame) => frame.event === event).length >= times
}
