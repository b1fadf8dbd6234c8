/**
 * Many identical requests at once for each key, over all APIs, by clients of which half go away before the answer; and
 * in between, requests that use the same key for something else. Counts what came back.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createConnections } from '../../harness/connections.ts'
import { NoAnswer, requestBytes } from '../../harness/http.ts'
import type { Answer } from '../../harness/http.ts'
import type { Place } from '../../harness/places.ts'
import { pick } from '../../harness/statistics.ts'

export interface RepetitionOptions {
  readonly place: Place
  /** Another scope of the same tenant, for the same key used elsewhere. */
  readonly elsewhere: Place
  readonly urls: () => readonly string[]
  readonly random: () => number
  readonly requests: number
}

export type RepetitionTally = ReturnType<typeof createTally>

export type Repetition = ReturnType<typeof createRepetition>

const TIMEOUT_MS = 20_000
const PAUSE_MS = 50
const MAX_ABORT_MS = 40
/** One in so many answers is followed by a request that misuses the key. */
const MISUSE_ONE_IN = 5

export function createRepetition(options: RepetitionOptions) {
  const tally = createTally()
  const line = createLine(options, tally)
  return {
    tally,
    underWay: line.underWay,
    /** All requests of one key; resolves when each has ended. */
    async run(key: string): Promise<void> {
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
  const changed = pick(changesOf(options, key), options.random) ?? {}
  tally.changedSent += 1
  const { status, body } = await ask(changed)
  if (status !== 422) tally.changedNotRefused.push(`${status} ${body.toString('utf8').slice(0, 120)}`)
}

type Line = ReturnType<typeof createLine>

function createLine(options: RepetitionOptions, tally: RepetitionTally) {
  const { tenantId, tenantKey: bearer } = options.place
  const { send, underWay, close } = createConnections(options)

  /** Once, and no longer than this; then the connection is cut. */
  async function say(body: object, timeoutMs: number): Promise<Answer | NoAnswer> {
    const requestOf = (url: string) => requestBytes(url, { path: '/api/ingest', bearer, tenantId, body })
    return send(requestOf, timeoutMs).catch((error: unknown) => {
      if (error instanceof NoAnswer) return error
      throw error
    })
  }

  return {
    tally,
    say,
    /** Again and again until there is an answer. */
    async ask(body: object): Promise<Answer> {
      for (;;) {
        const answer = await say(body, TIMEOUT_MS)
        if (answer instanceof NoAnswer) tally.cutOff += 1
        else if (!isUnavailable(tally, answer)) return answer
        await delay(PAUSE_MS)
      }
    },
    underWay,
    close,
  }
}

function createTally() {
  return {
    sent: 0,
    answered: 0,
    /** Clients that went away on purpose. */
    aborted: 0,
    /** Answers that never came although somebody waited; they were asked for again. */
    cutOff: 0,
    serverFaults: 0,
    /** Different answers under one key, beyond the first. */
    surplusAnswers: 0,
    /** Keys that were called new more than once. */
    twiceNew: 0,
    changedSent: 0,
    changedNotRefused: [] as string[],
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
