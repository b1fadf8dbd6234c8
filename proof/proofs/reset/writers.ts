/**
 * Documents from several writers at once, each with an id and a text of its own, by themselves and in batches. Nothing
 * is sent twice: whether a document that got no answer is there is left open, and said so.
 */
import { createConnections } from '../../harness/connections.ts'
import type { ConnectionsOptions } from '../../harness/connections.ts'
import { ingestRequest, readOutcomes } from '../../harness/ingest-wire.ts'
import type { DocumentOutcome } from '../../harness/ingest-wire.ts'
import { pause, repeat } from '../../harness/loop.ts'
import type { Place } from '../../harness/places.ts'
import { pick } from '../../harness/statistics.ts'

export interface WrittenDocument {
  readonly id: string
  readonly tenantId: string
  readonly scopeId: string
  /** Its place in the log, where it was accepted. */
  readonly seq: number | undefined
  /** Neither accepted nor refused for good. */
  readonly open: boolean
  /** The answer, in words. */
  readonly what: string
}

export interface WritersOptions extends ConnectionsOptions {
  readonly places: readonly [Place, ...Place[]]
  readonly writers: number
  /** Documents a second, of all writers together. */
  readonly rate: number
}

export type Writers = ReturnType<typeof startWriters>

const MAX_BATCH = 40
const TIMEOUT_MS = 20_000

export function startWriters({ places, writers, rate, ...options }: WritersOptions) {
  const { random } = options
  const connections = createConnections(options)
  const sent: WrittenDocument[] = []
  let numbered = 0
  let accepted = 0

  async function write(size: number): Promise<void> {
    const place = pick(places, random)
    const bodies = Array.from({ length: size }, () => bodyOf(place, (numbered += 1)))
    const outcomes = await connections
      .send((url) => ingestRequest(url, place, bodies), TIMEOUT_MS)
      .then(
        (answer) => readOutcomes(answer, size),
        (error: unknown) => bodies.map(() => ({ outcome: 'unknown' as const, what: String(error) })),
      )
    for (const [at, { document_id: id }] of bodies.entries()) {
      const { tenantId, scopeId } = place
      const result = toResult(outcomes[at] ?? { outcome: 'unknown', what: 'no result' })
      if (result.seq !== undefined) accepted += 1
      sent.push({ id, tenantId, scopeId, ...result })
    }
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
    sent: sent as readonly WrittenDocument[],
    accepted: () => accepted,
    /** Resolves when the last answer is there. */
    async stop(): Promise<void> {
      await stop()
      connections.close()
    },
  }
}

function toResult({
  outcome,
  what,
  accepted,
}: DocumentOutcome): Pick<WrittenDocument, 'seq' | 'open' | 'what'> {
  const seq = accepted === undefined ? undefined : (JSON.parse(accepted) as { seq: number }).seq
  return { seq, open: outcome === 'unknown', what }
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
