/** The same promise of documents that a language model reads: what it did not read, or did not compare, never looks as if it had. */
import { createChance } from '../../../harness/chance.ts'
import { inParallel } from '../../../harness/in-parallel.ts'
import { createPlaces } from '../../../harness/places.ts'
import type { ProofRun } from '../../../harness/proof.ts'
import { drawAgreeingDocuments } from '../agreeing.ts'
import { sendAll } from '../stage.ts'
import type { TruthStage } from '../stage.ts'
import { judgeByModel } from './judging.ts'
import type { ModelTrial, ModelVerdict } from './judging.ts'
import { drawModelTrials, MODEL_KIND_NAMES } from './kinds.ts'
import { FAULTS } from './partial-model.ts'
import type { PartialModel } from './partial-model.ts'

export interface ModelTruthSize {
  /** Documents of each kind. */
  readonly modelEach: number
  readonly patienceMs: number
}

const BESIDE = 2
const AT_ONCE = 4

export async function proveByModel(
  run: ProofRun<ModelTruthSize>,
  stage: TruthStage,
  model: PartialModel,
): Promise<void> {
  const { size, seed } = run
  const chance = createChance(seed + 1)
  const drawn = drawModelTrials(size.modelEach, chance)
  const places = await createPlaces(stage.fleet, { tenants: 1, scopes: drawn.length })
  const trials = drawn.map((trial, at): ModelTrial => ({
    ...trial,
    id: 'trial',
    place: places[at] ?? places[0],
  }))
  await sendAll(stage, [
    ...trials,
    ...trials.flatMap(({ place }) =>
      drawAgreeingDocuments(BESIDE, chance).map((document) => ({ ...document, place })),
    ),
  ])
  await report(run, stage, trials)
  reportFaults(run, model)
}

async function report(
  { figures, size }: ProofRun<ModelTruthSize>,
  stage: TruthStage,
  trials: readonly ModelTrial[],
): Promise<void> {
  const verdicts: ModelVerdict[] = []
  await inParallel(trials, AT_ONCE, async (trial) => void verdicts.push(await judgeByModel(stage, trial)))
  const all = (part: keyof ModelVerdict) => verdicts.flatMap((verdict) => verdict[part])
  figures.exactly('model: documents', trials.length, size.modelEach * MODEL_KIND_NAMES.length)
  figures.exactly('model: kinds of documents', new Set(trials.map(({ kind }) => kind)).size, 16)
  figures.none('model: documents with a wrong report', all('report'))
  figures.none('model: documents of which something is missing that the model was to read', all('missing'))
  figures.none('model: claims with a quote that is not in the text', all('invented'))
  figures.none('model: scopes that are blocked by something else than what is wrong', all('blocker'))
  figures.none('model: scopes with another coverage or agreement than their documents', all('convergence'))
  figures.none('model: certificates that are wrong, or are wrongly refused', all('certificate'))
}

/** A fault that the model never met shows nothing. */
function reportFaults({ figures }: ProofRun<ModelTruthSize>, { met }: PartialModel): void {
  const words = Object.keys(FAULTS) as (keyof typeof FAULTS)[]
  figures.none(
    'model: faults that it never showed',
    words.filter((word) => !met.get(word)),
  )
}
