/** The TypeScript client beside an API that is killed again and again: its stream misses nothing, its ingest doubles nothing. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Concord, createClient } from '@concord/client'
import { waitUntil } from '@concord/tools/launch'
import { keepIngesting } from './ingesting.ts'
import type { Ingesting } from './ingesting.ts'
import { openGate } from './gate.ts'
import type { Gate } from './gate.ts'
import { happens } from '../../harness/loop.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = { kills: 100, writers: 4, settleMs: 120_000 }
const SHORT = { kills: 5, writers: 2, settleMs: 30_000 }
const SIZES = { api: 2, dispatcher: 1, worker: 1 }
/** Between a stream that is open again and the next kill: some events pass meanwhile. */
const BREATH_MS = 150
const TIMEOUT_MS = 60_000

/** Each for another figure to notice. */
export const FORGETFUL_CLIENT: readonly Mutation[] = [
  {
    name: 'a stream goes on after the event before the last one',
    at: 'client.stream.resume',
    change: rewriteValue((header) =>
      header.replace(/('last-event-id': )(\S+)/, '$1String(Math.max(0, Number($2) - 1))'),
    ),
  },
  {
    name: 'every attempt of an ingest is a request of its own',
    at: 'client.ingest.idempotency-key',
    change: rewriteValue(() => '(input) => input'),
  },
]

type Run = ProofRun<typeof FULL>

export const client = defineProof({
  name: 'client',
  shows:
    'the stream of the client survives the death of whatever it is connected to, and what it sends is done once',
  sabotages: 'the client comes back a position too early, and sends documents without a key',
  sizes: { full: FULL, short: SHORT },
  mutations: FORGETFUL_CLIENT,
  prove,
})

async function prove(run: Run): Promise<void> {
  // Its own client is what is proved, and what sabotage changes.
  const entry = run.repository ? join(run.repository, 'client', 'src', 'index.ts') : '@concord/client'
  const { createClient: make } = (await import(entry)) as { readonly createClient: typeof createClient }
  await withFaultStage(run, { silent: true, sizes: SIZES }, async (stage) => {
    const [place] = stage.places
    const gate = openGate(stage)
    // The address is the gate's business: behind it APIs come and go, as behind any proxy.
    const concord = make({
      baseUrl: 'http://concord.invalid',
      ...place,
      fetch: gate.fetch,
      // On a busy machine it takes long until another one serves.
      retry: { attempts: 1_000, baseMs: 100, maxMs: 1_000 },
      timeoutMs: 120_000,
    })
    await proveStream(run, stage, { concord, gate, scopeId: place.scopeId })
  })
}

interface Subject {
  readonly concord: Concord
  readonly gate: Gate
  readonly scopeId: string
}

async function proveStream(run: Run, stage: FaultStage, subject: Subject): Promise<void> {
  const { concord, gate, scopeId } = subject
  const { size } = run
  const seen: number[] = []
  let resumed = 0
  const onReconnect = () => void (resumed += 1)
  const stream = concord.streamOwnScopeEvents({ scopeId }, { onReconnect })
  const reading = (async () => {
    for await (const event of stream) seen.push(event.type === 'resync' ? -1 : (event.data.seq ?? -1))
  })()
  await waitUntil(() => stream.position !== undefined, { what: 'the stream', withinMs: TIMEOUT_MS })
  const begun = Number(stream.position)
  const ingesting = keepIngesting(concord, scopeId, size.writers)
  const kills = await killUnderStream(stage, gate, size.kills, () => seen.length)
  await ingesting.finish()
  const head = await untilQuiet(concord, scopeId, size.settleMs)
  await happens(() => seen.at(-1) === head, { withinMs: 20_000 })
  stream.close()
  await reading
  report(run, { kills, resumed, seen, begun, head })
  await reportIngest(run, subject, ingesting)
}

/** Kills the API that holds the stream, and waits until it is held by another and tells something. */
async function killUnderStream(
  { fleet }: FaultStage,
  gate: Gate,
  wanted: number,
  seen: () => number,
): Promise<number> {
  let kills = 0
  while (kills < wanted) {
    const before = seen()
    const victim = await waitUntil(() => fleet.members('api').find((member) => gate.isStreamOf(member)), {
      what: 'an API that holds the stream',
      withinMs: TIMEOUT_MS,
    })
    await waitUntil(() => seen() > before, { what: 'an event', withinMs: TIMEOUT_MS })
    await delay(BREATH_MS)
    if (await victim.kill()) kills += 1
  }
  return kills
}

/** Until every document is at its end and the log no longer grows; says where it ends. */
async function untilQuiet(concord: Concord, scopeId: string, withinMs: number): Promise<number> {
  return waitUntil(
    async () => {
      const { documents, log_head } = await concord.getOwnScope({ scopeId })
      const { queued, processing } = documents.by_status
      return queued + processing === 0 && log_head !== null && log_head
    },
    { what: 'every document at its end', withinMs, everyMs: 250 },
  )
}

interface Followed {
  readonly kills: number
  readonly resumed: number
  readonly seen: readonly number[]
  /** The position at which the stream began. */
  readonly begun: number
  readonly head: number
}

function report({ figures, size }: Run, { kills, resumed, seen, begun, head }: Followed): void {
  const different = new Set(seen.filter((seq) => seq > begun))
  figures.exactly('kills of the API that held the stream', kills, size.kills)
  figures.atLeast('times the stream went on', resumed, kills)
  figures.atLeast('events in the log meanwhile', head - begun, 5 * kills)
  figures.exactly('events missed', head - begun - different.size, 0)
  figures.exactly('events repeated', seen.length - different.size, 0)
  figures.exactly('events out of order', seen.filter((seq, place) => seq < (seen[place - 1] ?? 0)).length, 0)
}

async function reportIngest(
  { figures }: ProofRun,
  { concord, gate, scopeId }: Subject,
  { accepted, failures }: Ingesting,
): Promise<void> {
  const names: string[] = []
  for await (const { name } of concord.listDocuments.all({ scopeId })) names.push(name)
  const stored = new Set(names)
  figures.note('documents sent through the client', accepted.length)
  figures.atLeast('requests that were cut off', gate.broken(), 1)
  figures.none('calls that failed', failures)
  const lost = accepted.filter((name) => !stored.has(name))
  figures.none('accepted and not stored', lost)
  figures.exactly('stored twice', names.length - stored.size, 0)
}
