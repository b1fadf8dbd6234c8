/** Every marker is in the list, every entry of the list is marked, and every mutation can be made where it says. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mutateSources } from '../harness/mutation.ts'
import type { Mutation } from '../harness/mutation.ts'
import { findMarkers, readSources } from '../harness/mutation/markers.ts'
import { NO_RECALL } from '../harness/no-recall.ts'
import { POINTS } from '../harness/points.ts'
import { UNBOUND } from '../proofs/audit/proof.ts'
import { BLIND, SILENT_CHANGE, UNNOTICED } from '../proofs/certificate/sabotage.ts'
import { FORGETFUL_CLIENT } from '../proofs/client/proof.ts'
import { STOP_FORGOTTEN } from '../proofs/control/proof.ts'
import { COUNTED_FOR_GOOD } from '../proofs/convergence/sabotage.ts'
import { crashPoints, markerOf, toMutations } from '../proofs/crash-points/points.ts'
import { DATABASE_SABOTAGES } from '../proofs/database/proof.ts'
import { BY_ARRIVAL, SIDES_BY_ARRIVAL } from '../proofs/determinism/sabotage.ts'
import { QUEUE_LEFT_ALONE } from '../proofs/disk-full/proof.ts'
import { HALF_A_RESET } from '../proofs/erasure/sabotage.ts'
import { sabotages as FUZZ_SABOTAGES } from '../proofs/fuzz/sabotage.ts'
import { WAITS_FOR_EVER } from '../proofs/busy-scope/proof.ts'
import { READ_IN_PLACE } from '../proofs/files/proof.ts'
import { COMPARED_IN_TRANSACTION } from '../proofs/heavy/proof.ts'
import { KEY_NOT_RECORDED } from '../proofs/idempotency/proof.ts'
import { OPEN_DOORS } from '../proofs/injection/sabotage.ts'
import { WITHOUT_TENANT_FILTERS } from '../proofs/isolation/locks.ts'
import { sabotages as KEY_SABOTAGES } from '../proofs/keys/sabotage.ts'
import { ANSWER_BEFORE_COMMIT } from '../proofs/kill/proof.ts'
import { BLAMED_DOCUMENTS } from '../proofs/model/proof.ts'
import { FORGETFUL_CANDIDATES } from '../proofs/monotone/proof.ts'
import { NEIGHBOUR_SABOTAGES } from '../proofs/neighbour/proof.ts'
import { SABOTAGES as OFFSET_SABOTAGES } from '../proofs/offsets/sabotage.ts'
import { SWITCHES_IGNORED } from '../proofs/pause/proof.ts'
import { OBEDIENT_READER, OBEDIENT_WORKER } from '../proofs/poison/baits.ts'
import { POLICY_SABOTAGES } from '../proofs/policy/sabotage.ts'
import { EPOCH_FORGOTTEN } from '../proofs/reset/proof.ts'
import { EXIT_AT_ONCE } from '../proofs/rolling/proof.ts'
import { NEVER_MORE } from '../proofs/scaling/proof.ts'
import { BROKEN_STATEMENTS } from '../proofs/simulate/sabotage.ts'
import { STREAMS_ON_THEIR_OWN } from '../proofs/sse/proof.ts'
import { STREAM_SABOTAGES } from '../proofs/streams/sabotage.ts'
import { KEEPS_EVERYTHING } from '../proofs/upkeep/proof.ts'
import { BLIND_SPOTS, FAULTY_READER, MODEL_BLIND_SPOTS } from '../proofs/truth/sabotage.ts'

/** The mutations that a proof applies to one copy stand together. */
const copies: Readonly<Record<string, readonly Mutation[]>> = {
  audit: [UNBOUND],
  'busy-scope': [WAITS_FOR_EVER],
  'certificate, in the command': BLIND,
  'certificate, in the service': [...UNNOTICED, SILENT_CHANGE],
  client: FORGETFUL_CLIENT,
  control: [STOP_FORGOTTEN],
  convergence: [COUNTED_FOR_GOOD],
  'crash-points': [...toMutations(crashPoints), NO_RECALL],
  database: DATABASE_SABOTAGES,
  determinism: [BY_ARRIVAL, SIDES_BY_ARRIVAL],
  'disk-full': [QUEUE_LEFT_ALONE],
  erasure: HALF_A_RESET,
  files: [READ_IN_PLACE],
  fuzz: FUZZ_SABOTAGES,
  heavy: COMPARED_IN_TRANSACTION,
  idempotency: [KEY_NOT_RECORDED],
  ...Object.fromEntries(OPEN_DOORS.map((mutation) => [`injection: ${mutation.name}`, [mutation]])),
  isolation: WITHOUT_TENANT_FILTERS,
  keys: KEY_SABOTAGES,
  kill: [ANSWER_BEFORE_COMMIT],
  model: [BLAMED_DOCUMENTS],
  monotone: [FORGETFUL_CANDIDATES],
  neighbour: NEIGHBOUR_SABOTAGES,
  offsets: OFFSET_SABOTAGES.map(({ mutation }) => mutation),
  pause: SWITCHES_IGNORED,
  poison: [OBEDIENT_READER, OBEDIENT_WORKER],
  policy: POLICY_SABOTAGES,
  reset: EPOCH_FORGOTTEN,
  rolling: [EXIT_AT_ONCE],
  scaling: NEVER_MORE,
  sse: STREAMS_ON_THEIR_OWN,
  streams: STREAM_SABOTAGES,
  upkeep: [KEEPS_EVERYTHING],
  truth: [FAULTY_READER, ...BLIND_SPOTS],
  'truth, with a model': MODEL_BLIND_SPOTS,
  ...Object.fromEntries(BROKEN_STATEMENTS.map((mutation) => [`simulate: ${mutation.name}`, [mutation]])),
}

const sources = await readSources(join(import.meta.dirname, '..', '..'))

describe('markers', () => {
  test('are each in the product once, and in the list', () => {
    const marked = findMarkers(sources).map(({ name }) => name)
    expect(marked.toSorted()).toEqual([...POINTS.keys()].toSorted())
  })

  test('are named by area, step and detail', () => {
    for (const name of POINTS.keys()) expect(name).toMatch(/^[a-z]+(?:\.[a-z]+(?:-[a-z]+)*){1,2}$/)
  })

  test('are written in the one form that is found', () => {
    const written = [...sources.values()].flatMap((text) => text.match(/@point/g) ?? [])
    expect(written).toHaveLength(findMarkers(sources).length)
  })

  test('are each of use to a mutation', () => {
    const used = Object.values(copies).flatMap((mutations) =>
      mutations.flatMap((mutation) => ('at' in mutation ? [mutation.at].flat() : [])),
    )
    expect([...POINTS.keys()].filter((name) => !used.some((each) => each === name))).toEqual([])
  })
})

describe('a changed copy', () => {
  test.each(Object.entries(copies))('can be made for %s', (_, mutations) => {
    const { changed, places } = mutateSources(sources, mutations)
    expect(changed.size).toBeGreaterThan(0)
    for (const each of places) expect(each).toBeGreaterThan(0)
  })
})

describe('crash points', () => {
  test('are at least fifteen, each with a file of its own that arms it', () => {
    expect(crashPoints.length).toBeGreaterThanOrEqual(15)
    expect(new Set(crashPoints.map(markerOf)).size).toBe(crashPoints.length)
  })
})
