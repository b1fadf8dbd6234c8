/**
 * A certificate can be checked with the public key alone, and nothing that was changed in it passes: evidence, policies, scores,
 * chain or signature, one thing at a time or several that fit together. New evidence reopens the scope, and the chain shows it.
 */
import type { Bundle } from './bundle.ts'
import { check } from './checking.ts'
import type { Checker } from './checking.ts'
import { forge, kindsOfForgery } from './forgeries.ts'
import type { Forgery } from './forgeries.ts'
import { BLIND, UNNOTICED } from './sabotage.ts'
import { goThrough, publicKeyOf } from './stage.ts'
import type { Course } from './stage.ts'
import { withFleet } from '../../harness/fleet.ts'
import { createPlaces } from '../../harness/places.ts'
import { withMutatedRepository } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { seededRandom, sum } from '../../harness/statistics.ts'

const FULL = { scopes: 20, forgeries: 2_000, patienceMs: 120_000 }
const SHORT = { scopes: 4, forgeries: 500, patienceMs: 30_000 }

type Run = ProofRun<typeof FULL>

export const certificate = defineProof({
  name: 'certificate',
  shows:
    'a certificate is checked offline, and no change of evidence, policies, scores, chain or signature passes',
  sabotages:
    'signatures, evidence, policies, scores or chain are not looked at, or new evidence is not noticed',
  sizes: { full: FULL, short: SHORT },
  async prove(run) {
    const made = await makeBundles(run)
    if (!run.sabotage) {
      report(run, made.courses)
      return judge(run, made)
    }
    for (const mutation of BLIND) {
      await expectNotice(run, mutation.name, () =>
        withMutatedRepository([mutation], (repository) => judge(run, { ...made, repository })),
      )
    }
    await expectNotice(run, UNNOTICED.name, () =>
      withMutatedRepository([UNNOTICED], async (repository) =>
        report(run, (await makeBundles(run, repository)).courses),
      ),
    )
  },
})

/** One that passes unnoticed must not hide behind the others. */
async function expectNotice(run: ProofRun, name: string, prove: () => Promise<void>): Promise<void> {
  const before = run.figures.missed.length
  run.print(`# ${name}:`)
  try {
    await prove()
  } catch (error) {
    // A scope that is not reopened is not certified again either.
    run.print(`  ${String(error).slice(0, 300)}`)
    run.figures.exactly('courses that came to their end', 0, 1)
  }
  if (run.figures.missed.length === before) throw new Error(`NOT NOTICED: ${name}`)
}

interface Made extends Checker {
  readonly courses: readonly Course[]
}

async function makeBundles(run: Run, repository?: string): Promise<Made> {
  const { scopes, patienceMs } = run.size
  const sizes = { api: 1, dispatcher: 1, worker: 1 }
  return withFleet({ ...run, repository }, { sizes }, async (fleet) => {
    const places = await createPlaces(fleet, { tenants: 2, scopes: scopes / 2 })
    const stage = { fleet, repository, patienceMs }
    const courses = await Promise.all(places.map((place, nth) => goThrough(stage, place, nth)))
    return { courses, publicKey: await publicKeyOf(stage) }
  })
}

function report({ figures, print }: ProofRun, courses: readonly Course[]): void {
  const faults = courses.flatMap((course) => course.faults)
  for (const fault of faults.slice(0, 10)) print(`  ${fault}`)
  figures.exactly('things that did not go as they must', faults.length, 0)
  figures.note('scopes that were certified, reopened and certified again', courses.length)
  figures.atLeast(
    'contradictions that were resolved',
    sum(courses.map(({ contradictions }) => contradictions)),
    1,
  )
}

async function judge({ figures, print, size, seed }: Run, made: Made): Promise<void> {
  const bundles = made.courses.flatMap((course) => course.bundles)
  const untouched = await check(
    made,
    bundles.map((bundle) => JSON.stringify(bundle)),
  )
  for (const { parts } of untouched.filter(({ valid }) => !valid)) print(`  untouched: ${parts.join(', ')}`)
  figures.exactly('files as they were exported that are accepted', count(untouched), bundles.length)
  const forgeries = draw(bundles, size.forgeries, seed)
  const judged = await check(
    made,
    forgeries.map(({ file }) => file),
  )
  const accepted = forgeries.filter((_, index) => judged[index]?.valid !== false)
  const misnamed = forgeries.filter(
    ({ parts }, index) => !parts.some((part) => judged[index]?.parts.includes(part)),
  )
  for (const { name } of accepted.slice(0, 3)) print(`  accepted: ${name}`)
  for (const { name, parts } of misnamed.slice(0, 3)) print(`  ${name}: not named as ${parts.join(' or ')}`)
  figures.exactly('changed files that are accepted', accepted.length, 0)
  figures.exactly('changed files of which something else is said than what was changed', misnamed.length, 0)
  figures.exactly('changed files', forgeries.length, size.forgeries)
  const kinds = new Set(forgeries.map(({ name }) => name))
  figures.exactly('ways of changing a file', kinds.size, kindsOfForgery().length)
}

function count(checked: readonly { readonly valid: boolean }[]): number {
  return checked.filter(({ valid }) => valid).length
}

/** In turn of every kind, each of a file drawn by lot; what a file has nothing of is drawn again of another. */
function draw(bundles: readonly Bundle[], wanted: number, seed: number): Forgery[] {
  const random = seededRandom(seed)
  const forgeries: Forgery[] = []
  let tries = 0
  while (forgeries.length < wanted) {
    if ((tries += 1) > 20 * wanted) throw new Error('The files have too little to change.')
    const at = Math.floor(random() * bundles.length)
    const [bundle, other] = [bundles[at], bundles[(at + 2) % bundles.length]]
    const forgery = bundle && other && forge(bundle, other, tries, random)
    if (forgery) forgeries.push(forgery)
  }
  return forgeries
}
