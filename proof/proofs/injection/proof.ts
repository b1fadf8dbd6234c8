/**
 * A hostile document reaches its own claims only. Each hostile document comes into a scope with honest ones, and the language model obeys it in
 * everything: the honest documents have the same claims and contradictions as in a scope without it, to the letter.
 */
import { waitUntil } from '@concord/tools/launch'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { send } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { expectNotice } from '../../harness/sabotage.ts'
import { ATTACKS, UNNOTICED_ATTACKS } from './attacks.ts'
import type { Attack } from './attacks.ts'
import { hostilePaper, honestPapers, markOf } from './documents.ts'
import type { SentPaper } from './documents.ts'
import { asTenant, inspectScope } from './judging.ts'
import type { InjectionOutcome, InjectionTrial } from './judging.ts'
import { withObedientModel } from './obedient-model.ts'
import type { ObedientModel } from './obedient-model.ts'
import { OPEN_DOORS } from './sabotage.ts'

/** Each attack in so many rounds, so many of them in a scope together. */
const FULL = { rounds: 4, together: 1, every: 1, patienceMs: 900_000 }
const SHORT = { rounds: 1, together: 5, every: 1, patienceMs: 200_000 }
/** One attack in so many. */
const SABOTAGED = { rounds: 1, together: 4, every: 3 }

type Run = ProofRun<typeof FULL>

const AT_ONCE = 6
const TENANTS = 2
const MIN_ATTACKS = 60

export const injection = defineProof({
  name: 'injection',
  shows:
    'a hostile document reaches its own claims only, also where the language model obeys it: honest documents keep their claims, contradictions and quotes',
  sabotages:
    'hostile documents are compared beside others, share facts with them, quotes are in the words of the model, or unseen characters stay',
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  async prove(run) {
    if (!run.sabotage) return prove(run)
    for (const mutation of OPEN_DOORS) await expectNotice(run, mutation, prove)
  },
})

interface HostileTrial extends InjectionTrial {
  /** Some come before the documents that contradict the first ones, the others after all. */
  readonly early: readonly SentPaper[]
  readonly late: readonly SentPaper[]
}

async function prove(run: Run): Promise<void> {
  const attacks = ATTACKS.filter((_, nth) => nth % run.size.every === 0)
  await withObedientModel([...attacks, ...UNNOTICED_ATTACKS], async (model) => {
    const { trials, outcomes } = await inflict(run, model, attacks, {})
    reportEffects(run, trials, outcomes)
    reportRequests(run, model, attacks)
    if (run.short) return
    run.print('# orders that the service does not recognise:')
    await reportUnnoticed(run, model)
  })
}

interface Inflicted {
  readonly trials: readonly HostileTrial[]
  readonly outcomes: readonly InjectionOutcome[]
}

async function inflict(
  run: Run,
  model: ObedientModel,
  attacks: readonly Attack[],
  env: Readonly<Record<string, string>>,
): Promise<Inflicted> {
  const { size } = run
  const options = { sizes: { api: 1, dispatcher: 1, worker: 1 }, env: { ...model.env, ...env } }
  return withFleet(run, options, async (fleet) => {
    const count = Math.ceil((attacks.length * size.rounds) / size.together) + 1
    const places = await createPlaces(fleet, { tenants: TENANTS, scopes: Math.ceil(count / TENANTS) })
    const trials = places.slice(0, count).map((place, nth) => drawTrial(run, place, nth, attacks))
    await sendAll(run, fleet, trials)
    const outcomes: InjectionOutcome[] = []
    await inParallel(trials, AT_ONCE, async (trial, nth) => {
      outcomes[nth] = await inspectScope(fleet.url(), trial)
    })
    await reportEnds(run, fleet)
    return { trials, outcomes }
  })
}

/** Where every document is compared in requests of its own, nothing depends on recognising an order. */
async function reportUnnoticed(run: Run, model: ObedientModel): Promise<void> {
  const { figures } = run
  const { trials, outcomes } = await inflict(run, model, UNNOTICED_ATTACKS, { MODEL_ISOLATION: 'all' })
  const part = 'contradictions'
  figures.none(
    'contradictions among honest documents that differ, all isolated',
    differing(trials, outcomes, part),
  )
  figures.none('claims of honest documents that differ, all isolated', differing(trials, outcomes, 'claims'))
  const open = await inflict(run, model, UNNOTICED_ATTACKS, {})
  figures.note(
    'contradictions that differ, suspected ones isolated',
    differing(open.trials, open.outcomes, part).length,
  )
}

/** The first has no hostile document. */
function drawTrial({ size }: Run, place: Place, nth: number, attacks: readonly Attack[]): HostileTrial {
  const mark = markOf(nth)
  const total = attacks.length * size.rounds
  const turns = Array.from(
    { length: nth === 0 ? 0 : size.together },
    (_, at) => (nth - 1) * size.together + at,
  )
  const drawn = turns
    .filter((turn) => turn < total)
    .flatMap((turn) => {
      const attack = attacks[turn % attacks.length]
      const round = Math.floor(turn / attacks.length)
      return attack ? [{ attack, isEarly: round < 3, paper: hostilePaper(attack, mark, turn + round) }] : []
    })
  // In a round alone a third comes late.
  const isLate = (at: number, isEarly: boolean) => !isEarly || (size.together > 1 && at % 3 === 2)
  return {
    place,
    mark,
    papers: [...honestPapers(mark).flat(), ...drawn.map(({ paper }) => paper)],
    name: drawn
      .map(({ attack }) => `${attack.demand} ${JSON.stringify(attack.order.slice(0, 40))}`)
      .join(' + '),
    early: drawn.filter(({ isEarly }, at) => !isLate(at, isEarly)).map(({ paper }) => paper),
    late: drawn.filter(({ isEarly }, at) => isLate(at, isEarly)).map(({ paper }) => paper),
  }
}

async function sendAll({ size }: Run, fleet: Fleet, trials: readonly HostileTrial[]): Promise<void> {
  const waves = trials.map(({ mark, early, late }): readonly (readonly SentPaper[])[] => {
    const [first, second] = honestPapers(mark)
    return [[...early, ...first], second, late]
  })
  for (const wave of [0, 1, 2]) {
    const papers = trials.flatMap(({ place }, nth) =>
      (waves[nth]?.[wave] ?? []).map((paper) => ({ place, paper })),
    )
    await inParallel(papers, AT_ONCE, ({ place, paper }) => sendPaper(fleet, place, paper))
    const open = 'select (select count(*) from work) + (select count(*) from comparison_steps) as count'
    await waitUntil(async () => (await fleet.count(open)) === 0, {
      what: 'reading and comparing',
      withinMs: size.patienceMs,
      everyMs: 200,
    })
  }
}

/** A busy machine may ask to wait. */
async function sendPaper(fleet: Fleet, place: Place, { id, name, text }: SentPaper): Promise<void> {
  const body = { scope_id: place.scopeId, document_id: id, name, text }
  const request = { ...asTenant(place, ''), path: '/api/ingest', body, timeoutMs: 60_000 }
  const isAccepted = async () => {
    const { status, text: answer } = await send(fleet.url(), request)
    if (status !== 202 && status !== 503) throw new Error(`A document was answered ${status}: ${answer}`)
    return status === 202
  }
  await waitUntil(isAccepted, { what: `sending ${id}`, withinMs: 60_000, everyMs: 500 })
}

/** Lists the differences of honest documents from the first scope. */
function differing(
  trials: readonly HostileTrial[],
  [clean, ...others]: readonly InjectionOutcome[],
  part: 'claims' | 'contradictions',
): string[] {
  if (!clean) throw new Error('There is nothing to compare with.')
  return others.flatMap((outcome, nth) => {
    const missing = clean[part].filter((each) => !outcome[part].includes(each))
    const added = outcome[part].filter((each) => !clean[part].includes(each))
    const words = [...missing.map((each) => `missing: ${each}`), ...added.map((each) => `added: ${each}`)]
    return words.map((each) => `${trials[nth + 1]?.name}: ${each}`)
  })
}

function reportEffects(
  { figures, size, sabotage }: Run,
  trials: readonly HostileTrial[],
  outcomes: readonly InjectionOutcome[],
): void {
  const [clean, ...others] = outcomes
  if (!clean) throw new Error('There is nothing to compare with.')
  const all = (part: 'misquoted' | 'unended' | 'foreign' | 'raw' | 'overlong') =>
    outcomes.flatMap((outcome) => outcome[part])
  const hostile = sum(trials.map(({ early, late }) => early.length + late.length))
  figures.atLeast('hostile documents', hostile, sabotage ? 1 : MIN_ATTACKS * size.rounds)
  figures.exactly('contradictions among honest documents without them', clean.contradictions.length, 2)
  figures.none(
    'contradictions among honest documents that differ beside them',
    differing(trials, outcomes, 'contradictions'),
  )
  figures.none('claims of honest documents that differ', differing(trials, outcomes, 'claims'))
  figures.none('quotes that do not stand in their document', all('misquoted'))
  figures.none('documents without an end', all('unended'))
  figures.none('words of other scopes and tenants in responses', all('foreign'))
  figures.none('control characters and unseen ones in what is told', all('raw'))
  figures.none('titles, explanations and names beyond their limits', all('overlong'))
  figures.note('claims of hostile documents', sum(others.map(({ hostileClaims }) => hostileClaims)))
  figures.note('contradictions of hostile documents with honest ones', sum(others.map(({ own }) => own)))
  const hidden = hostile - sum(others.map(({ contesting }) => contesting))
  figures.note('hostile documents that hid all conflicts of their own, as they may', hidden)
}

function reportRequests({ figures, sabotage }: Run, model: ObedientModel, attacks: readonly Attack[]): void {
  const unheard = attacks.filter(({ order }) => !model.obeyed.has(order)).map(({ order }) => order)
  figures.note('requests to the model', model.requests())
  figures.note('requests in which it obeyed', sum([...model.obeyed.values()]))
  // The few of a sabotaged run may come too late to be compared with anything, and must not pass for a notice.
  if (!sabotage) figures.none('orders that it never saw', unheard)
  figures.none('requests with words of two scopes', model.mixed)
  figures.none('requests in another form', model.misshapen)
  // To extract, to compare and to verify, the last two also within one document.
  figures.atMost('tasks that it was given', model.tasks.size, 5)
}

async function reportEnds({ figures }: Run, fleet: Fleet): Promise<void> {
  const repeated = await fleet.count('select count(*) as count from documents where attempt > 1')
  figures.note('documents that took another attempt, as on a busy machine', repeated)
  const refused = await fleet.count('select count(*) as count from fact_counts where refused > 0')
  figures.note('scopes that say that a comparison is incomplete, for the model gave no answer', refused)
  figures.none('processes that ended by themselves', fleet.unaskedExits)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
