/** Draws all requests from one seed, mixes them, and sends them to the processes in turn over open connections. */
import * as fc from 'fast-check'
import { createRawClient, NoAnswer } from '../../harness/http.ts'
import type { Answer, RawClient } from '../../harness/http.ts'
import { rightKeys } from './credentials.ts'
import type { ServedDocument } from './document.ts'
import { draftsOf, kinds } from './drafts.ts'
import type { Draft, DraftDeps } from './drafts.ts'
import { slowWires } from './hostile.ts'
import type { Judge } from './judge.ts'
import type { Tally } from './tally.ts'
import { plainWire, toBytes } from './wire.ts'
import type { Wire } from './wire.ts'
import type { World } from './world.ts'

export interface Campaign {
  readonly document: ServedDocument
  readonly deps: DraftDeps
  readonly world: World
  readonly judge: Judge
  readonly tally: Tally
  readonly urls: readonly string[]
  readonly seed: number
  /** At least this many requests; each operation and kind gets an equal part. */
  readonly requests: number
}

/** Requests under way at a time, for each process. */
const LANES = 3
/** Long enough for the first events of a stream to come behind its first bytes. */
const LISTEN_MS = 40

export async function runCampaign(campaign: Campaign): Promise<void> {
  const queue = planOf(campaign).values()
  const clients = campaign.urls.map(createRawClient)
  const lanes = clients.flatMap((client) =>
    Array.from({ length: LANES }, () => runLane(campaign, client, queue)),
  )
  // Beside the rest from the start: these take as long as the service waits for a request to arrive.
  const slow = clients.flatMap((client) =>
    slowDrafts(campaign.document).map((draft) => send(campaign, client, draft)),
  )
  await Promise.all([...lanes, ...slow])
  for (const client of clients) client.close()
}

function planOf({ document: { operations }, deps, seed, requests }: Campaign): Draft[] {
  const each = Math.ceil(requests / (operations.length * kinds.length))
  const groups = operations.flatMap((operation, at) =>
    kinds.map((kind, nth) =>
      fc.sample(draftsOf(deps, operation, kind), { numRuns: each, seed: seed + at * kinds.length + nth }),
    ),
  )
  // One of each group after the other, so that operations and kinds come mixed and what one makes another finds.
  return Array.from({ length: each }, (_, round) => groups.flatMap((group) => group[round] ?? [])).flat()
}

async function runLane(campaign: Campaign, client: RawClient, queue: Iterator<Draft>): Promise<void> {
  for (let next = queue.next(); !next.done; next = queue.next()) await send(campaign, client, next.value)
}

async function send(campaign: Campaign, client: RawClient, draft: Draft): Promise<void> {
  const { world, tally, judge } = campaign
  const facts = world.choose(draft.operation, draft.draw)
  const { wire, label } = draft.build(facts)
  tally.noteSent(draft, label)
  try {
    const answer = await exchange(client, wire)
    if (!answer) return tally.noteAbandoned()
    tally.noteAnswer({ draft, wire, answer }, label, judge.deviationsOf({ draft, wire, answer }))
    if (answer.stream) world.learnStream(draft.operation, answer.body.toString('utf8'))
    else if (answer.status < 300) world.learn(draft.operation, facts, parseOrNothing(answer), answer.headers)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    tally.noteSilence(draft, wire, label, error.silence)
  }
}

async function exchange(client: RawClient, wire: Wire): Promise<Answer | undefined> {
  const bytes = toBytes(wire)
  if (!wire.abandoned) {
    const { fresh, timeoutMs } = wire
    const head = wire.method === 'HEAD'
    return client.send({ bytes, head, fresh, listenMs: LISTEN_MS, ...(timeoutMs && { timeoutMs }) })
  }
  await client.abandon(bytes)
  return undefined
}

/** With the right keys: a caller who is refused at the door needs no patience. */
function slowDrafts({ operations }: ServedDocument): Draft[] {
  const operation = operations.find((each) => each.body)
  if (!operation) return []
  const { method, path: target } = operation
  return slowWires.map((twist) => ({
    operation,
    kind: 'hostile',
    draw: 0,
    build(facts) {
      const headers = [['Host', 'x'] as const, ...rightKeys(operation, facts, 0)]
      const wire = { ...plainWire, method, target, headers }
      return {
        label: twist.label,
        wire: twist.apply({ wire, operation, body: {}, draw: 0, cursor: undefined }),
      }
    },
  }))
}

function parseOrNothing(answer: Answer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'))
  } catch {
    return {}
  }
}
