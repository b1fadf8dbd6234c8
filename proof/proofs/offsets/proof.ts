/**
 * Whatever a text is made of, each quote stands where its offsets say, and no text takes longer than its length. By the pure
 * functions for their number, and through the whole service for a sample of the same texts, where offsets count characters.
 */
import * as fc from 'fast-check'
import { loadReading, readAll } from '../../harness/claims/reading.ts'
import type { StructureReader } from '../../harness/claims/reading.ts'
import { expectNotice } from '../../harness/sabotage.ts'
import { FAULTS, judgeClaim } from './judge.ts'
import type { OffsetFault } from './judge.ts'
import { shapes } from './hostile.ts'
import { SABOTAGES } from './sabotage.ts'
import type { Sabotage } from './sabotage.ts'
import { readThroughService } from './service.ts'
import { texts } from './texts.ts'
import { growthOf } from './timing.ts'
import type { Growth } from './timing.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = {
  texts: 20_000,
  claims: 200_000,
  served: 1_000,
  servedClaims: 2_000,
  patienceMs: 300_000,
  lengths: [100_000, 400_000],
}
const SHORT = {
  texts: 500,
  claims: 5_000,
  served: 100,
  servedClaims: 200,
  patienceMs: 30_000,
  lengths: [100_000],
}
/** The growth of the time of one character from a long text to one of 10,000 characters. */
const MAX_GROWTH = 1.5

type Run = ProofRun<typeof FULL>

export const offsets = defineProof({
  name: 'offsets',
  shows:
    'every quote is the text at its offsets, whatever the text is made of, and reading takes linear time',
  sabotages:
    'claims are quoted one character off, offsets are not counted in characters, texts are read over and over',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT },
  async prove(run) {
    if (!run.sabotage) return prove(run)
    for (const { mutation, part } of SABOTAGES)
      await expectNotice(run, mutation, (broken) => prove(broken, part))
  },
})

async function prove(run: Run, part?: Sabotage['part']): Promise<void> {
  const reading = await loadReading(run.repository)
  if (!part || part === 'quotes') checkQuotes(run, reading)
  if (!part || part === 'time') checkTime(run, reading)
  if (!part || part === 'service') await checkService(run)
}

function checkQuotes({ figures, print, size, seed, sabotage }: Run, reading: StructureReader): void {
  const counts = new Map<OffsetFault, number>()
  let read = 0
  let claims = 0
  const judge = (text: string) => {
    const found = readAll(reading, text)
    const faults = found.flatMap((claim) => judgeClaim(text, claim))
    read += 1
    claims += found.length
    for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1)
    return faults.length === 0
  }
  // A broken reader need not be told in its shortest form.
  const options = { seed, numRuns: size.texts, endOnFailure: sabotage }
  const result = fc.check(fc.property(texts, judge), options)
  const threw = result.failed && counts.size === 0
  if (result.failed) {
    const example = JSON.stringify(result.counterexample?.[0] ?? '').slice(0, 600)
    print(`  for example ${example}; --seed ${seed} repeats it`)
    if (threw && result.errorInstance instanceof Error) print(`  ${String(result.errorInstance.stack)}`)
  }
  figures.exactly('texts that reading did not survive', threw ? 1 : 0, 0)
  for (const fault of FAULTS) figures.exactly(fault, counts.get(fault) ?? 0, 0)
  figures.atLeast('texts of arbitrary characters', read, size.texts)
  figures.atLeast('claims in them', claims, size.claims)
}

function checkTime({ figures, print, size, sabotage }: Run, reading: StructureReader): void {
  const { lengths } = size
  const read = (text: string) => readAll(reading, text)
  const tried = sabotage ? shapes.filter(({ name }) => name.startsWith('line ')) : shapes
  for (const shape of tried) read(shape.of(5_000))
  const growths = tried
    .map((shape) => growthOf(shape, { read, lengths, bound: MAX_GROWTH }))
    .toSorted((a, b) => b.factor - a.factor)
  for (const growth of growths.slice(0, 3)) print(`  ${describe(growth)}`)
  const slowest = growths.toSorted((a, b) => b.ms - a.ms)[0]
  if (slowest) figures.note('slowest shape', describe(slowest))
  figures.note('shapes of hostile text', growths.length)
  figures.atMost(
    `a character of ${lengths.at(-1)} by one of 10,000, worst shape`,
    growths[0]?.factor ?? Infinity,
    MAX_GROWTH,
    ' times',
  )
}

function describe({ shape, factor, ms }: Growth): string {
  return `${shape}: ${factor.toFixed(2)} times, ${ms.toFixed(1)} ms for 100,000 characters`
}

async function checkService(run: Run): Promise<void> {
  const { figures, size, seed } = run
  const sample = fc.sample(texts, { seed, numRuns: size.served })
  const served = await readThroughService(run, sample, size.patienceMs)
  figures.none('claims of the API that are not the text at their offsets', served.misplaced)
  figures.atLeast('claims of the API', served.claims, size.servedClaims)
  figures.note('texts sent, and those with claims', `${sample.length}, ${served.textsWithClaims}`)
  figures.exactly('answer to a text with a NUL', served.statusWithNul, 422)
  figures.exactly('answer to the same text without it', served.statusWithoutNul, 202)
}
