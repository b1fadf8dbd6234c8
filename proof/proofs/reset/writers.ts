/**
 * Documents from several writers at once, each with an id and a text of its own, by themselves and in batches. Nothing
 * is sent twice: whether a document that got no answer is there is left open, and said so.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Place } from '../../harness/places.ts'

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

export interface Writers {
  readonly sent: readonly SentDocument[]
  accepted(): number
  /** Resolves when the last answer is there. */
  stop(): Promise<void>
}

const MAX_BATCH = 40
const TIMEOUT_MS = 20_000

export function startWriters({ urls, places, random, writers, rate }: WritersOptions): Writers {
  const stopping = new AbortController()
  const sent: SentDocument[] = []
  let numbered = 0
  let accepted = 0
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]

  async function send(size: number): Promise<void> {
    const place = pick(places)
    const url = pick(urls())
    if (!place || url === undefined) return
    const numbers = Array.from({ length: size }, (_, index) => numbered + index)
    numbered += size
    const results = await postDocuments(url, place, numbers)
    for (const result of results) if (result.seq !== undefined) accepted += 1
    sent.push(...results)
  }

  async function write(): Promise<void> {
    const started = performance.now()
    for (let done = 0; !stopping.signal.aborted;) {
      const size = random() < 0.5 ? 1 : 1 + Math.floor(random() * MAX_BATCH)
      await send(size)
      done += size
      const early = (done * writers * 1000) / rate - (performance.now() - started)
      if (early > 0) await delay(early)
    }
  }

  const writing = Array.from({ length: writers }, write)
  return {
    sent,
    accepted: () => accepted,
    async stop() {
      stopping.abort()
      await Promise.all(writing)
    },
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

interface Body {
  readonly scope_id: string
  readonly document_id: string
  readonly name: string
  readonly idempotency_key: string
  readonly text: string
}

/** The name is the id: who can read it in the list has opened what was sealed for this document. */
function bodyOf({ scopeId }: Place, number: number): Body {
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

async function postBodies(url: string, place: Place, bodies: readonly Body[]): Promise<Outcome[]> {
  const [first] = bodies
  const alone = bodies.length === 1
  try {
    const answer = await fetch(`${url}/api/ingest${alone ? '' : '/batch'}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${place.tenantKey}`,
        'x-tenant-id': place.tenantId,
        'content-type': 'application/json',
      },
      body: JSON.stringify(alone ? first : { documents: bodies }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await answer.text()
    if (answer.status === 202) return [acceptedAs(JSON.parse(text) as Accepted)]
    if (answer.status === 200) return (JSON.parse(text) as Batch).results.map(readResult)
    return bodies.map(() => refusedAs(answer.status, text))
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
  return document ? acceptedAs(document) : refusedAs(problem?.status ?? 500, JSON.stringify(problem))
}

function acceptedAs({ seq }: Accepted): Outcome {
  return { seq, open: false, what: 'accepted' }
}

function refusedAs(status: number, text: string): Outcome {
  return { seq: undefined, open: status >= 500, what: `${status}: ${text.slice(0, 300)}` }
}
