/**
 * Documents from several writers at once, each with an id and a text of its own, by themselves and in batches. Nothing
 * is sent twice: whether a document that got no answer is there is left open, and said so.
 */
import { send } from '../../harness/http.ts'
import { pause, repeat } from '../../harness/loop.ts'
import type { Place } from '../../harness/places.ts'
import { pick } from '../../harness/statistics.ts'

export interface SentDocument {
  readonly id: string
  readonly tenantId: string
  readonly scopeId: string
  /** Its place in the log, where it was accepted. */
  readonly seq: number | undefined
  /** Neither accepted nor refused for good. */
  readonly open: boolean
  /** What the answer was. */
  readonly what: string
}

export interface WritersOptions {
  readonly urls: () => readonly string[]
  readonly places: readonly Place[]
  readonly random: () => number
  readonly writers: number
  /** Documents a second, of all writers together. */
  readonly rate: number
}

export type Writers = ReturnType<typeof startWriters>

const MAX_BATCH = 40
const TIMEOUT_MS = 20_000

export function startWriters({ urls, places, random, writers, rate }: WritersOptions) {
  const sent: SentDocument[] = []
  let numbered = 0
  let accepted = 0

  async function write(size: number): Promise<void> {
    const place = pick(places, random)
    const url = pick(urls(), random)
    if (!place || url === undefined) return
    const numbers = Array.from({ length: size }, (_, index) => numbered + index)
    numbered += size
    const results = await postDocuments(url, place, numbers)
    for (const result of results) if (result.seq !== undefined) accepted += 1
    sent.push(...results)
  }

  const started = performance.now()
  const written = Array.from({ length: writers }, () => 0)
  const { stop } = repeat(
    async (signal, writer) => {
      const size = random() < 0.5 ? 1 : 1 + Math.floor(random() * MAX_BATCH)
      await write(size)
      const done = (written[writer] = (written[writer] ?? 0) + size)
      await pause((done * writers * 1000) / rate - (performance.now() - started), signal)
    },
    { workers: writers },
  )
  return {
    sent: sent as readonly SentDocument[],
    accepted: () => accepted,
    /** Resolves when the last answer is there. */
    stop,
  }
}

async function postDocuments(url: string, place: Place, numbers: readonly number[]): Promise<SentDocument[]> {
  const bodies = numbers.map((number) => bodyOf(place, number))
  const outcomes = await postBodies(url, place, bodies)
  return bodies.map(({ document_id: id }, index) => {
    const outcome = outcomes[index] ?? { seq: undefined, open: true, what: 'no result' }
    return { id, tenantId: place.tenantId, scopeId: place.scopeId, ...outcome }
  })
}

/** The name is the id: who can read it in the list has opened what was sealed for this document. */
function bodyOf({ scopeId }: Place, number: number) {
  const id = `document-${number}`
  return { scope_id: scopeId, document_id: id, name: id, idempotency_key: id, text: textOf(number) }
}

const LONG_ONE_IN = 8
const LONG_LINES = 2_500

/** Unlike any other; some are long lists, which take a worker longest to read. */
function textOf(number: number): string {
  const lines = number % LONG_ONE_IN === 0 ? LONG_LINES : 5
  return Array.from({ length: lines }, (_, line) => `Lot ${number}, ${line}`).join('\n')
}

type Outcome = Pick<SentDocument, 'seq' | 'open' | 'what'>

async function postBodies(url: string, place: Place, bodies: readonly object[]): Promise<Outcome[]> {
  const { tenantKey: bearer, tenantId } = place
  const isAlone = bodies.length === 1
  const path = isAlone ? '/api/ingest' : '/api/ingest/batch'
  const body = isAlone ? bodies[0] : { documents: bodies }
  try {
    const { status, text } = await send(url, { path, bearer, tenantId, body, timeoutMs: TIMEOUT_MS })
    if (status === 202) return [readResult({ document: JSON.parse(text) as Accepted })]
    if (status === 200) return (JSON.parse(text) as Batch).results.map(readResult)
    return bodies.map(() => refusedAs(status, text))
  } catch (error) {
    return bodies.map(() => ({ seq: undefined, open: true, what: String(error) }))
  }
}

interface Accepted {
  readonly seq: number
}

interface Batch {
  readonly results: readonly {
    readonly document?: Accepted
    readonly problem?: { readonly status: number }
  }[]
}

function readResult({ document, problem }: Batch['results'][number]): Outcome {
  if (document) return { seq: document.seq, open: false, what: 'accepted' }
  return refusedAs(problem?.status ?? 500, JSON.stringify(problem))
}

function refusedAs(status: number, text: string): Outcome {
  return { seq: undefined, open: status >= 500, what: `${status}: ${text.slice(0, 300)}` }
}
