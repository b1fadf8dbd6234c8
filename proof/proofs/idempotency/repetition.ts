/**
 * Many identical requests at once for each key, over all APIs, by clients of which half go away before the answer; and
 * in between, requests that use the same key for something else. Counts what came back.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createRawClient, NoAnswer } from '../../harness/http.ts'
import type { Answer, RawClient } from '../../harness/http.ts'
import type { Place } from '../../harness/places.ts'

export interface RepetitionOptions {
  readonly place: Place
  /** Another scope of the same tenant, for the same key used elsewhere. */
  readonly elsewhere: Place
  readonly urls: () => readonly string[]
  readonly random: () => number
  readonly requests: number
}

export interface RepetitionTally {
  sent: number
  answered: number
  /** Clients that went away on purpose. */
  aborted: number
  /** Answers that never came although somebody waited; they were asked for again. */
  cutOff: number
  serverFaults: number
  /** Different answers under one key, beyond the first. */
  surplusAnswers: number
  /** Keys that were called new more than once. */
  twiceNew: number
  changedSent: number
  changedNotRefused: string[]
  underWay: number
}

export interface Repetition {
  readonly tally: RepetitionTally
  /** All requests of one key; resolves when each has ended. */
  run(key: string): Promise<void>
  close(): void
}

const PATIENCE_MS = 20_000
const PAUSE_MS = 50
const MAX_ABORT_MS = 40
/** One in so many answers is followed by a request that misuses the key. */
const MISUSE_ONE_IN = 5

export function createRepetition(options: RepetitionOptions): Repetition {
  const tally = createTally()
  const line = createLine(options, tally)
  return {
    tally,
    async run(key) {
      const heard: Heard[] = []
      const requests = Array.from({ length: options.requests }, () => requestOnce(options, line, key, heard))
      await Promise.all(requests)
      // Somebody waits for the last word: every key has at least one answer.
      heard.push(hear(tally, await line.ask(bodyOf(options.place, key))))
      tally.surplusAnswers += new Set(heard.map(({ answer }) => answer)).size - 1
      if (heard.filter(({ isNew }) => isNew).length > 1) tally.twiceNew += 1
    },
    close: line.close,
  }
}

/** Says only that there is no answer now. */
function isUnavailable(tally: RepetitionTally, { status }: Answer): boolean {
  if (status >= 500) tally.serverFaults += 1
  return status === 503
}

interface Heard {
  /** Status and body. */
  readonly answer: string
  readonly isNew: boolean
}

function hear(tally: RepetitionTally, { status, headers, body }: Answer): Heard {
  tally.answered += 1
  const isNew = status === 202 && !headers.has('idempotency-replayed')
  return { answer: `${status} ${body.toString('utf8')}`, isNew }
}

async function requestOnce(
  options: RepetitionOptions,
  line: Line,
  key: string,
  heard: Heard[],
): Promise<void> {
  const { place, random } = options
  const { tally } = line
  const body = bodyOf(place, key)
  tally.sent += 1
  if (random() < 0.5) {
    const answer = await line.say(body, 1 + random() * MAX_ABORT_MS)
    if (answer instanceof NoAnswer) tally.aborted += 1
    else if (!isUnavailable(tally, answer)) heard.push(hear(tally, answer))
    return
  }
  heard.push(hear(tally, await line.ask(body)))
  if (random() * MISUSE_ONE_IN < 1) await misuse(options, line, key)
}

async function misuse(options: RepetitionOptions, { tally, ask }: Line, key: string): Promise<void> {
  const changes = changesOf(options, key)
  const changed = changes[Math.floor(options.random() * changes.length)] ?? {}
  tally.changedSent += 1
  const { status, body } = await ask(changed)
  if (status !== 422) tally.changedNotRefused.push(`${status} ${body.toString('utf8').slice(0, 120)}`)
}

interface Line {
  readonly tally: RepetitionTally
  /** Once, and no longer than this; then the connection is cut. */
  say(body: object, timeoutMs: number): Promise<Answer | NoAnswer>
  /** Again and again until there is an answer. */
  ask(body: object): Promise<Answer>
  close(): void
}

function createLine({ place, urls, random }: RepetitionOptions, tally: RepetitionTally): Line {
  const clients = new Map<string, RawClient>()

  function clientOf(url: string): RawClient {
    const client = clients.get(url) ?? createRawClient(url)
    clients.set(url, client)
    return client
  }

  async function say(body: object, timeoutMs: number): Promise<Answer | NoAnswer> {
    const known = urls()
    const url = known[Math.floor(random() * known.length)]
    if (url === undefined) return new NoAnswer('refused', 'no API is there')
    tally.underWay += 1
    try {
      return await clientOf(url).send({ bytes: requestOf(url, place, body), timeoutMs })
    } catch (error) {
      if (error instanceof NoAnswer) return error
      throw error
    } finally {
      tally.underWay -= 1
    }
  }

  return {
    tally,
    say,
    async ask(body) {
      for (;;) {
        const answer = await say(body, PATIENCE_MS)
        if (answer instanceof NoAnswer) tally.cutOff += 1
        else if (!isUnavailable(tally, answer)) return answer
        await delay(PAUSE_MS)
      }
    },
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}

function createTally(): RepetitionTally {
  return {
    sent: 0,
    answered: 0,
    aborted: 0,
    cutOff: 0,
    serverFaults: 0,
    surplusAnswers: 0,
    twiceNew: 0,
    changedSent: 0,
    changedNotRefused: [],
    underWay: 0,
  }
}

function bodyOf({ scopeId }: Place, key: string): Readonly<Record<string, string>> {
  const text = `What was said under ${key}. It was said once.`
  return { scope_id: scopeId, name: key, text, idempotency_key: key }
}

/** The same key for another text, name, source, id or scope. */
function changesOf({ place, elsewhere }: RepetitionOptions, key: string): object[] {
  const body = bodyOf(place, key)
  return [
    { ...body, text: 'Something else was said.' },
    { ...body, name: 'another name' },
    { ...body, source: 'another source' },
    { ...body, document_id: `another-${key}` },
    { ...body, scope_id: elsewhere.scopeId },
  ]
}

function requestOf(url: string, { tenantId, tenantKey }: Place, body: object): Buffer {
  const text = JSON.stringify(body)
  return Buffer.from(
    `POST /api/ingest HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${tenantKey}\r\n` +
      `X-Tenant-ID: ${tenantId}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
