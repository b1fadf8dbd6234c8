/** Every change that the proofs of faults make to a copy of the service still finds its place in it. */
import { describe, expect, test } from 'vitest'
import { NO_RECALL } from '../harness/no-recall.ts'
import { FORGETFUL_CLIENT } from '../proofs/client/proof.ts'
import { KEY_NOT_RECORDED } from '../proofs/idempotency/proof.ts'
import { ANSWER_BEFORE_COMMIT } from '../proofs/kill/proof.ts'
import { crashPoints, markerOf, toMutations } from '../proofs/crash-points/points.ts'
import { UNNOTICED } from '../proofs/certificate/sabotage.ts'
import { COUNTED_FOR_GOOD } from '../proofs/convergence/sabotage.ts'
import { STREAM_SABOTAGES } from '../proofs/streams/sabotage.ts'
import { withMutatedRepository } from '../harness/mutation.ts'
import type { Mutation } from '../harness/mutation.ts'

async function placesOf(mutations: readonly Mutation[]): Promise<number[]> {
  return withMutatedRepository(mutations, async (_, applied) => applied.map(({ places }) => places))
}

describe('a changed copy', () => {
  test('can die at every crash point, each in exactly one place', async () => {
    const mutations = toMutations(crashPoints)
    expect(await placesOf(mutations)).toEqual(mutations.map(() => 1))
  })

  test('has each sabotage in exactly one place', async () => {
    const mutations = [
      ANSWER_BEFORE_COMMIT,
      NO_RECALL,
      KEY_NOT_RECORDED,
      ...STREAM_SABOTAGES,
      ...FORGETFUL_CLIENT,
      COUNTED_FOR_GOOD,
      UNNOTICED,
    ]
    expect(await placesOf(mutations)).toEqual(mutations.map(() => 1))
  })
})

describe('crash points', () => {
  test('are at least fifteen, each with a marker of its own', () => {
    expect(crashPoints.length).toBeGreaterThanOrEqual(15)
    expect(new Set(crashPoints.map(markerOf)).size).toBe(crashPoints.length)
  })
})
