/**
 * Nothing that was not read looks read. Documents of twelve kinds that a reader takes only in part, or not at all, each beside two that
 * are read whole: the report of each is right, it is named as a blocker, and its scope is not certified. Scopes that were read whole and
 * compared are. Many documents of which not all are compared hide no conflict in silence. The same is shown of sixteen kinds of documents
 * that a language model reads.
 */
import { createChance } from '../../harness/chance.ts'
import type { Chance } from '../../harness/chance.ts'
import { withFleet } from '../../harness/fleet.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { expectNotice } from '../../harness/sabotage.ts'
import { drawAgreeingDocuments } from './agreeing.ts'
import { judge, judgeAlone } from './judging.ts'
import type { Trial, TruthVerdict } from './judging.ts'
import { drawTrials, KIND_NAMES } from './kinds.ts'
import { tellManyReports } from './many-reports.ts'
import { withPartialModel } from './model/partial-model.ts'
import type { PartialModel } from './model/partial-model.ts'
import { proveByModel } from './model/proving.ts'
import { BLIND_SPOTS, FAULTY_READER, MODEL_BLIND_SPOTS } from './sabotage.ts'
import { declare, permitRules, readConvergence, sendAll } from './stage.ts'
import type { SentDocument, TruthStage } from './stage.ts'

const FULL = { each: 18, alone: 10, scopes: 40, reports: 66, modelEach: 6, patienceMs: 300_000 }
const SHORT = { each: 2, alone: 2, scopes: 6, reports: 66, modelEach: 1, patienceMs: 60_000 }
const SABOTAGED = { each: 1, alone: 1, scopes: 2, reports: 0 }

type Run = ProofRun<typeof FULL>

const INSTRUMENTS = [FAULTY_READER]
const BESIDE = 2
const AT_ONCE = 4

export const truth = defineProof({
  name: 'truth',
  shows:
    'every document says how much of it was read and why not more, and nothing that was not read or not compared is certified',
  sabotages:
    'gaps are not stored, coverage counts documents, agreement counts what was not compared, or unread passages, windows that a model did not answer, dropped quotes and encoded bytes count as read',
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  instruments: INSTRUMENTS,
  async prove(run) {
    if (run.sabotage) return proveSabotages(run)
    await proveParts(run, [proveByRules, proveByModel])
  },
})

async function proveSabotages(run: Run): Promise<void> {
  for (const mutation of BLIND_SPOTS)
    await expectNotice(run, mutation, (changed) => proveParts(changed, [proveByRules]), INSTRUMENTS)
  for (const mutation of MODEL_BLIND_SPOTS)
    await expectNotice(run, mutation, (changed) => proveParts(changed, [proveByModel]))
}

type Part = (run: Run, stage: TruthStage, model: PartialModel) => Promise<void>

/** Side by side, each with a tenant of its own. */
async function proveParts(run: Run, parts: readonly Part[]): Promise<void> {
  const sizes = { api: 1, dispatcher: 1, worker: 2 }
  await withPartialModel((model) =>
    withFleet(run, { sizes, env: model.env }, async (fleet) => {
      const stage = { url: fleet.url(), fleet, patienceMs: run.size.patienceMs }
      await Promise.all(parts.map((part) => part(run, stage, model)))
    }),
  )
}

async function proveByRules(run: Run, stage: TruthStage): Promise<void> {
  const { size, seed } = run
  const chance = createChance(seed)
  const drawn = drawTrials(size.each, chance)
  const count = drawn.length + size.scopes + size.alone + 1
  const places = await createPlaces(stage.fleet, { tenants: 1, scopes: count })
  await permitRules(stage, places)
  const trials = drawn.map((trial, at): Trial => ({
    ...trial,
    id: 'trial',
    place: places[at] ?? places[0],
  }))
  const agreeing = places.slice(trials.length, trials.length + size.scopes)
  const alone = places.slice(trials.length + size.scopes, -1)
  await sendAll(stage, [
    ...trials,
    ...trials.flatMap(({ place }) => agreeingIn(place, BESIDE, chance)),
    ...agreeing.flatMap((place) => agreeingIn(place, chance.between(3, 6), chance)),
    ...alone.flatMap((place) => agreeingIn(place, 1, chance)),
  ])
  await reportTrials(run, stage, trials)
  await reportAgreeing(run, stage, agreeing)
  const assessed = await Promise.all(alone.map((place) => judgeAlone(stage, place)))
  run.figures.none(`of ${alone.length} documents alone, those that do not look unassessed`, assessed.flat())
  const last = places.at(-1)
  if (last && size.reports > 0) await reportMany(run, stage, last)
}

function agreeingIn(place: Place, count: number, chance: Chance): SentDocument[] {
  return drawAgreeingDocuments(count, chance).map((document) => ({ ...document, place }))
}

async function reportTrials(
  { figures, size }: Run,
  stage: TruthStage,
  trials: readonly Trial[],
): Promise<void> {
  const verdicts: TruthVerdict[] = []
  await inParallel(trials, AT_ONCE, async (trial) => void verdicts.push(await judge(stage, trial)))
  const all = (part: keyof TruthVerdict) => verdicts.flatMap((verdict) => verdict[part])
  figures.exactly('documents', trials.length, size.each * KIND_NAMES.length)
  figures.exactly('kinds of documents', new Set(trials.map(({ kind }) => kind)).size, 12)
  figures.none('documents with a wrong report', all('report'))
  figures.none('documents that are not named as a blocker', all('blocker'))
  figures.none('scopes with another coverage or agreement than their documents', all('convergence'))
  figures.none('certificates over them', all('certified'))
  figures.none('refusals that do not name the document', all('refusal'))
}

async function reportAgreeing(
  { figures, print }: Run,
  stage: TruthStage,
  places: readonly Place[],
): Promise<void> {
  let certified = 0
  await inParallel(places, AT_ONCE, async (place) => {
    const { status, errors } = await declare(stage, place)
    if (status === 201) certified += 1
    else
      print(
        `  ${place.scopeId}: ${status}, ${(await readConvergence(stage, place)).state}, ${JSON.stringify(errors)}`,
      )
  })
  figures.exactly('scopes that were read and compared, and are certified', certified, places.length)
}

async function reportMany({ figures, size }: Run, stage: TruthStage, place: Place): Promise<void> {
  const many = await tellManyReports(stage, place, size.reports)
  figures.exactly('planted conflicts that are found', many.found, 6)
  figures.exactly(`of them still reported after ${size.reports} reports of other months`, many.left, 6)
  figures.exactly('blockers that call the comparison incomplete', countIncomplete(many.blockers), 1)
  figures.atLeast('claims and findings that are told to be left out', many.leftOut, 1)
  figures.exactly('contradictions that were withdrawn', many.withdrawn, 0)
  figures.exactly('certificates over an incomplete comparison', many.refusal ? 0 : 1, 0)
  figures.exactly('refusals that call the comparison incomplete', countIncomplete(many.refusal ?? []), 1)
}

function countIncomplete(kinds: readonly string[]): number {
  return kinds.filter((kind) => kind === 'comparison_incomplete').length
}
