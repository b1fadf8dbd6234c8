/** Takes a scope through a plan, with workers killed meanwhile, and tells what the scope says in the end. */
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@concord/tools/launch'
import { listClaims, listContradictions } from '../claims/pages.ts'
import type { Fleet } from '../fleet.ts'
import { send } from '../http.ts'
import type { Place } from '../places.ts'
import { linesOf } from './outcome.ts'
import type { CaseOutcome } from './outcome.ts'
import type { CaseStep } from './plan.ts'

export interface CaseStage {
  readonly fleet: Fleet
  readonly patienceMs: number
}

const MAX_RETRIES = 10

export async function follow(
  stage: CaseStage,
  place: Place,
  steps: readonly CaseStep[],
): Promise<CaseOutcome> {
  for (const step of steps) await take(stage, place, step)
  await untilRead(stage, place)
  const url = stage.fleet.url()
  const [claims, contradictions] = await Promise.all([listClaims(url, place), listContradictions(url, place)])
  return { claims: linesOf(claims), contradictions: linesOf(contradictions) }
}

async function take(stage: CaseStage, place: Place, step: CaseStep): Promise<void> {
  if (step.kind === 'wait') return untilRead(stage, place)
  const { scopeId, tenantKey: bearer, tenantId } = place
  const request =
    step.kind === 'remove'
      ? { method: 'DELETE', path: `/api/scopes/${scopeId}/documents/${encodeURIComponent(step.id)}` }
      : {
          path: '/api/ingest',
          body: { scope_id: scopeId, document_id: step.id, name: step.id, text: step.text },
        }
  const ask = () => send(stage.fleet.url(), { ...request, bearer, tenantId })
  let response = await ask()
  // A disk that stands still is answered 503: nobody is told whether it was done, and both may be asked again.
  for (let again = 0; response.status === 503 && again < MAX_RETRIES; again += 1) {
    await delay(1_000)
    response = await ask()
    if (step.kind === 'remove' && response.status === 404) return
  }
  if (response.status >= 300) throw new Error(`${step.kind} ${step.id}: ${response.status} ${response.text}`)
}

async function untilRead({ fleet, patienceMs }: CaseStage, { tenantId, scopeId }: Place): Promise<void> {
  const statement = `select (select count(*) from work where tenant_id = $1 and scope_id = $2)
    + (select count(*) from comparison_steps where tenant_id = $1 and scope_id = $2) as count`
  await waitUntil(async () => (await fleet.count(statement, [tenantId, scopeId])) === 0, {
    what: `reading and comparing everything in ${scopeId}`,
    withinMs: patienceMs,
    everyMs: 100,
  })
}

/** Kills one worker after the other at random moments for as long as the work goes on; says how many had work in hand. */
export async function killMeanwhile<Result>(
  { fleet }: CaseStage,
  { kills, random }: { readonly kills: number; readonly random: () => number },
  work: Promise<Result>,
): Promise<{ readonly result: Result; readonly hit: number }> {
  const ended = new AbortController()
  const over = work.finally(() => ended.abort()).catch(() => undefined)
  let hit = 0
  for (let kill = 0; kill < kills && !ended.signal.aborted; kill += 1) {
    await Promise.race([over, delay(200 + 800 * random())])
    const workers = fleet.members('worker')
    const victim = workers[Math.floor(random() * workers.length)]
    const busy = await fleet.count(`select (select count(*) from work where state = 'processing')
      + (select count(*) from comparison_steps where due_at > now()) as count`)
    if (victim && (await victim.kill()) && busy > 0) hit += 1
  }
  return { result: await work, hit }
}
