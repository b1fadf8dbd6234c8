/** Draws all requests from one seed, mixes them, and sends them to the processes in turn over open connections. */
import * as fc from 'fast-check'
import { createRawClient, NoAnswer } from '../../harness/http.ts'
import type { Answer, RawClient } from '../../harness/http.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { rightKeys } from './credentials.ts'
import type { ServedDocument } from '../../harness/openapi.ts'
import { draftsOf, kinds } from './drafts.ts'
import type { RequestDraft } from './drafts.ts'
import { slowWires } from './hostile.ts'
import { createJudge } from './judge.ts'
import type { FuzzTarget } from './setup.ts'
import { createTally } from './tally.ts'
import type { Tally } from './tally.ts'
import { createValidators } from './validators.ts'
import { plainWire, toBytes } from './wire.ts'
import type { Wire } from './wire.ts'

export type FuzzRun = ProofRun<{
  readonly requests: number
  readonly fewest: number
  readonly twists: number
}>

/** Requests under way at a time, for each process. */
const LANES = 3
/** Long enough for the first events of a stream to come behind its first bytes. */
const LISTEN_MS = 40

type Campaign = ReturnType<typeof planCampaign>

/** At least so many requests as the size says; each operation and kind gets an equal part. */
export async function runCampaign(target: FuzzTarget, { seed, size }: FuzzRun): Promise<Tally> {
  const campaign = planCampaign(target, seed, size.requests)
  const queue = campaign.drafts.values()
  const clients = target.apis.map(({ url }) => createRawClient(url))
  const lanes = clients.flatMap((client) =>
    Array.from({ length: LANES }, () => runLane(campaign, client, queue)),
  )
  // Beside the rest from the start: these take as long as the service waits for a request to arrive.
  const slow = clients.flatMap((client) =>
    slowDrafts(target.document).map((draft) => send(campaign, client, draft)),
  )
  await Promise.all([...lanes, ...slow])
  for (const client of clients) client.close()
  return campaign.tally
}

function planCampaign({ document, world }: FuzzTarget, seed: number, requests: number) {
  const { operations, resolve } = document
  const validators = createValidators(document)
  const each = Math.ceil(requests / (operations.length * kinds.length))
  const groups = operations.flatMap((operation, at) =>
    kinds.map((kind, nth) =>
      fc.sample(draftsOf({ resolve, validators }, operation, kind), {
        numRuns: each,
        seed: seed + at * kinds.length + nth,
      }),
    ),
  )
  // One of each group after the other, so that operations and kinds come mixed and what one makes another finds.
  const drafts = Array.from({ length: each }, (_, round) =>
    groups.flatMap((group) => group[round] ?? []),
  ).flat()
  return { drafts, world, judge: createJudge(document, validators), tally: createTally() }
}

async function runLane(campaign: Campaign, client: RawClient, queue: Iterator<RequestDraft>): Promise<void> {
  for (let next = queue.next(); !next.done; next = queue.next()) await send(campaign, client, next.value)
}

async function send(campaign: Campaign, client: RawClient, draft: RequestDraft): Promise<void> {
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
function slowDrafts({ operations }: ServedDocument): RequestDraft[] {
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
