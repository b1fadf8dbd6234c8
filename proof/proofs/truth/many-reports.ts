/**
 * Six conflicts, and then many reports of other months that contradict nothing: more than is compared of one group. The conflicts
 * stay, and it is told that more is left out.
 */
import { openStream } from '../../harness/http/event-stream.ts'
import { requestAll, requestJson } from '../../harness/http.ts'
import type { Place } from '../../harness/places.ts'
import { waitUntil } from '@concord/tools/launch'
import { asTenant, declare, readConvergence, sendAll } from './stage.ts'
import type { SentDocument, TruthStage } from './stage.ts'

const CONFLICTS = 6
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

export interface ManyReports {
  /** Conflicts that were open before the other reports came, and those of them that still were afterwards. */
  readonly found: number
  readonly left: number
  /** Kinds of blockers of the scope. */
  readonly blockers: readonly string[]
  /** Claims and findings that are left out, as the summary of the scope tells it. */
  readonly leftOut: number
  readonly withdrawn: number
  /** Codes of the refusal when nothing was open any more; undefined where the scope was certified. */
  readonly refusal: readonly string[] | undefined
}

export async function tellManyReports(
  stage: TruthStage,
  place: Place,
  reports: number,
): Promise<ManyReports> {
  const conflicts = Array.from({ length: CONFLICTS }, (_, month) => [
    reportOf(place, 'plan', month, 400 + 7 * month),
    reportOf(place, 'payroll', month, 431 + 9 * month),
  ]).flat()
  await sendAll(stage, conflicts)
  const before = await listOpen(stage, place, '&relation=conflict')
  const others = Array.from({ length: reports }, (_, at) =>
    reportOf(place, 'monthly', CONFLICTS + at, 500 + at),
  )
  await sendAll(stage, others)
  const after = await listOpen(stage, place)
  const { blockers } = await readConvergence(stage, place)
  const events = await readEvents(stage, place)
  const withdrawn = events.filter(({ type }) => type === 'contradiction.withdrawn')
  const cut = await readLeftOut(stage, place)
  await dismissAll(stage, place, after)
  const { status, errors } = await declare(stage, place)
  return {
    found: before.length,
    left: after.filter(({ contradiction_id: id }) => before.some((one) => one.contradiction_id === id))
      .length,
    blockers: blockers.map(({ kind }) => kind),
    leftOut: cut.claims + cut.findings,
    withdrawn: withdrawn.length,
    refusal: status === 409 ? errors.map(({ code }) => code) : undefined,
  }
}

function reportOf(place: Place, source: string, month: number, employees: number): SentDocument {
  const when = `${MONTHS[month % 12] ?? ''} ${2018 + Math.floor(month / 12)}`
  return { place, id: `${source}-${month}`, text: `Borealis Ltd had ${employees} employees in ${when}.` }
}

interface Listed {
  readonly contradiction_id: string
}

async function listOpen({ url }: TruthStage, place: Place, filter = ''): Promise<Listed[]> {
  return requestAll<Listed>(url, asTenant(place, `contradictions?status=open${filter}`))
}

/** Until none is open: one that is closed may make room for another. */
async function dismissAll(stage: TruthStage, place: Place, open: readonly Listed[]): Promise<void> {
  for (const { contradiction_id: id } of open) {
    const body = { outcome: 'dismissed', reason: 'It is looked at elsewhere.' }
    await requestJson(stage.url, { ...asTenant(place, `contradictions/${id}/resolution`), body })
  }
  const left = await listOpen(stage, place)
  if (left.length > 0) await dismissAll(stage, place, left)
}

interface ScopeEvent {
  readonly id: string
  readonly type: string
}

interface Summary {
  readonly log_head: number
  readonly reading: { readonly left_out: { readonly claims: number; readonly findings: number } }
}

function readSummary({ url }: TruthStage, place: Place): Promise<Summary> {
  return requestJson<Summary>(url, { ...asTenant(place, ''), path: `/api/scopes/${place.scopeId}` })
}

async function readLeftOut(stage: TruthStage, place: Place): Promise<Summary['reading']['left_out']> {
  return (await readSummary(stage, place)).reading.left_out
}

/** The whole log up to now. */
async function readEvents(stage: TruthStage, place: Place): Promise<ScopeEvent[]> {
  const { url, patienceMs } = stage
  const { log_head: head } = await readSummary(stage, place)
  using stream = await openStream(url, asTenant(place, 'events?after=0'))
  const readAll = () => stream.frames().flatMap(({ data }) => (data ? [JSON.parse(data) as ScopeEvent] : []))
  await waitUntil(() => readAll().some(({ id }) => Number(id) >= head), {
    what: 'reading the log',
    withinMs: patienceMs,
  })
  return readAll()
}
