/**
 * A certificate can be checked with the public key alone, and nothing that was changed in it passes: evidence, policies, scores,
 * reading, chain or signature, one thing at a time or several that fit together. New evidence reopens the scope, and the chain
 * shows it, and so does a verdict of the judge that comes later. A scope is not certified while a document of it is unread, or while no policy permits what the rule reader has read.
 */
import type { Bundle } from './bundle.ts'
import { check } from './checking.ts'
import type { Checker } from './checking.ts'
import { forge, KINDS } from './forgeries.ts'
import type { Forgery } from './forgeries.ts'
import { withHesitantJudge } from './judge-endpoint.ts'
import { certifyBeforeVerdict } from './late-verdicts.ts'
import type { LateVerdict } from './late-verdicts.ts'
import { BLIND, SILENT_CHANGE, UNNOTICED } from './sabotage.ts'
import { goThrough } from './stage.ts'
import type { Course } from './stage.ts'
import { withFleet } from '../../harness/fleet.ts'
import { requestJson } from '../../harness/http.ts'
import { createPlaces, createRootKey } from '../../harness/places.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { expectNotice } from '../../harness/sabotage.ts'
import { seededRandom, sum } from '../../harness/statistics.ts'

const FULL = { scopes: 20, forgeries: 2_000, lateVerdicts: 10, patienceMs: 120_000 }
const SHORT = { scopes: 4, forgeries: 500, lateVerdicts: 2, patienceMs: 60_000 }

type Run = ProofRun<typeof FULL>

export const certificate = defineProof({
  name: 'certificate',
  shows:
    'a certificate is checked offline, and no change of evidence, policies, scores, reading, chain or signature passes; what was not read is not certified, and what a judge says later is noticed',
  sabotages:
    'signatures, evidence, policies, scores, reading or chain are not looked at, or new evidence, changed findings or unread documents are not noticed',
  sizes: { full: FULL, short: SHORT },
  async prove(run) {
    const made = await makeBundles(run)
    if (!run.sabotage) {
      report(run, made.courses)
      await judge(run, made)
      return reportLateVerdicts(run)
    }
    for (const mutation of BLIND)
      await expectNotice(run, mutation, (broken) => judge(run, { ...made, repository: broken.repository }))
    for (const mutation of UNNOTICED) await expectNotice(run, mutation, reportCourses)
    await expectNotice(run, SILENT_CHANGE, reportLateVerdicts)
  },
})

/** A scope that new evidence does not reopen is not certified a second time, so its course breaks off. */
async function reportCourses(run: Run): Promise<void> {
  const made = await makeBundles(run).catch((error: unknown) => {
    if (!(error instanceof Error && error.message.startsWith('declaring answered 200'))) throw error
    return run.print('  the certificate before the new evidence was given again')
  })
  run.figures.exactly('scopes certified again after new evidence', made?.courses.length ?? 0, run.size.scopes)
  if (made) report(run, made.courses)
}

interface Made extends Checker {
  readonly courses: readonly Course[]
}

async function makeBundles(run: Run): Promise<Made> {
  const { scopes, patienceMs } = run.size
  const sizes = { api: 1, dispatcher: 1, worker: 1 }
  return withFleet(run, { sizes }, async (fleet) => {
    const url = fleet.url()
    const { env } = fleet.deployment
    const admin = await createRootKey(fleet, 'admin')
    const stage = { url, admin, command: { repository: run.repository, env }, patienceMs }
    const places = await createPlaces(fleet, { tenants: 2, scopes: scopes / 2 })
    const courses = await Promise.all(places.map((place, nth) => goThrough(stage, place, nth)))
    const { keys } = await requestJson<Keys>(url, { path: '/api/certificate-keys' })
    return { courses, publicKey: keys.find(({ signs }) => signs)?.public_key ?? '' }
  })
}

async function reportLateVerdicts(run: Run): Promise<void> {
  const verdicts = await collectLateVerdicts(run)
  const count = (property: keyof LateVerdict) => verdicts.filter((each) => each[property]).length
  run.figures.exactly('contradictions changed by a later verdict', count('isChanged'), run.size.lateVerdicts)
  run.figures.exactly('of these, changed while the certificate was called current', count('isSilent'), 0)
  run.figures.exactly('dismissed ones that name other documents since', count('namesOthers'), 0)
}

async function collectLateVerdicts(run: Run): Promise<LateVerdict[]> {
  const { lateVerdicts, patienceMs } = run.size
  return withHesitantJudge((hesitant) =>
    withFleet(run, { sizes: { api: 1, dispatcher: 1, worker: 1 }, env: hesitant.env }, async (fleet) => {
      const { env } = fleet.deployment
      const admin = await createRootKey(fleet, 'admin')
      const stage = { url: fleet.url(), admin, command: { repository: run.repository, env }, patienceMs }
      const places = await createPlaces(fleet, { tenants: 1, scopes: lateVerdicts })
      const verdicts: LateVerdict[] = []
      for (const place of places) verdicts.push(await certifyBeforeVerdict(stage, place, hesitant))
      return verdicts
    }),
  )
}

interface Keys {
  readonly keys: readonly { readonly signs: boolean; readonly public_key: string }[]
}

function report({ figures }: Run, courses: readonly Course[]): void {
  const contradictions = sum(courses.map((course) => course.contradictions))
  figures.none(
    'things that did not go as they must',
    courses.flatMap(({ faults }) => faults),
  )
  figures.note('scopes that were certified, reopened and certified again', courses.length)
  figures.atLeast('contradictions that were resolved', contradictions, 1)
}

async function judge({ figures, print, size, seed }: Run, made: Made): Promise<void> {
  const bundles = made.courses.flatMap((course) => course.bundles)
  const exported = bundles.map((bundle) => JSON.stringify(bundle))
  const untouched = await check(made, exported)
  const accepted = untouched.filter(({ valid }) => valid).length
  for (const { valid, differences } of untouched)
    if (!valid) print(`  untouched: ${namesOf(differences).join(', ')}`)
  figures.exactly('files as they were exported that are accepted', accepted, bundles.length)
  const forgeries = draw(bundles, size.forgeries, seed)
  const files = forgeries.map(({ file }) => file)
  const judged = await check(made, files)
  const passed = forgeries.filter((_, index) => judged[index]?.valid !== false)
  const misnamed = forgeries.flatMap(({ name, part }, index) => {
    const named = namesOf(judged[index]?.differences ?? [])
    return named.includes(part) ? [] : [`${name}: ${named.join(', ')}, and not ${part}`]
  })
  figures.none(
    'changed files that are accepted',
    passed.map(({ name }) => name),
  )
  figures.none('changed files of which something else is said than what was changed', misnamed)
  figures.exactly('changed files', forgeries.length, size.forgeries)
  const kinds = new Set(forgeries.map(({ name }) => name))
  figures.exactly('ways of changing a file', kinds.size, KINDS.length)
}

function namesOf(differences: readonly { readonly part: string }[]): string[] {
  return differences.map(({ part }) => part)
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
