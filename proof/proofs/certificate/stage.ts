/** Scopes that are settled, certified, reopened by a new document and certified again, through the whole service. */
import { join } from 'node:path'
import { runChild, waitUntil } from '@concord/tools/launch'
import type { Fleet } from '../../harness/fleet.ts'
import type { Place } from '../../harness/places.ts'
import type { Bundle } from './bundle.ts'

const REPOSITORY = join(import.meta.dirname, '..', '..', '..')

export interface Stage {
  readonly fleet: Fleet
  readonly repository?: string | undefined
  readonly patienceMs: number
}

export interface Course {
  /** As exported: after the first certificate, and after the second. */
  readonly bundles: readonly Bundle[]
  readonly contradictions: number
  /** What did not go as it must, in words. */
  readonly faults: readonly string[]
}

interface Issued {
  readonly certificate: Bundle['certificates'][number]
  readonly hash: string
  readonly current: boolean
  readonly reopened_at: number | null
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

/** Some agree and some do not, so that there is something to resolve. */
const TEXTS = (nth: number) => [
  `Borealis Ltd had revenue of EUR ${12 + nth}.4m in 2025.\n\nThe lease ends on 30 June 2027.`,
  `Borealis Ltd had revenue of EUR ${12 + nth}.4m in 2025.\n\nBorealis Ltd had ${400 + nth} employees at the end of 2025.`,
  ...(nth % 2 === 0 ? [`Borealis Ltd had revenue of EUR ${11 + nth}.9m in 2025.`] : []),
]

export async function goThrough(stage: Stage, place: Place, nth: number): Promise<Course> {
  const faults: string[] = []
  const expect = (holds: boolean, what: string) => void (holds || faults.push(`${place.scopeId}: ${what}`))
  const certificatePath = `/api/scopes/${place.scopeId}/certificate`

  expect((await call(stage, place, certificatePath, 'POST')).status === 409, 'an empty scope was declared')
  await Promise.all(TEXTS(nth).map((text, index) => send(stage, place, `document-${index}`, text)))
  await settle(stage, place)
  const contradictions = await resolveAll(stage, place)
  const first = await declare(stage, place)
  const again = await call(stage, place, certificatePath, 'POST')
  expect(again.status === 200, `declaring again answered ${again.status}`)
  expect(((await again.json()) as Issued).hash === first.hash, 'declaring again made another certificate')
  const before = await exportBundle(stage, place)
  expect(await listsTheSame(stage, place, before), 'HTTP lists other evidence than was exported')

  await send(stage, place, 'late', `The lease of Borealis Ltd ends on ${1 + nth} May 2031.`)
  const news = (await (await call(stage, place, certificatePath, 'GET')).json()) as Issued
  const { log_position: settledAt } = first.certificate.about
  expect(!news.current, 'a certificate is current after new evidence')
  expect((news.reopened_at ?? 0) > settledAt, `new evidence is said to have come at ${news.reopened_at}`)
  const outdated = await call(stage, place, `${certificatePath}/evidence`, 'GET')
  expect(outdated.status === 409, `evidence of before answered ${outdated.status}`)

  await settle(stage, place)
  await resolveAll(stage, place)
  const second = await declare(stage, place)
  const { previous, about } = second.certificate
  expect(about.number === 2, `the second certificate has number ${about.number}`)
  expect(previous?.hash === first.hash, 'the second certificate does not follow the first')
  expect(previous?.reopened_at === news.reopened_at, 'the second certificate does not tell of the news')
  return { bundles: [before, await exportBundle(stage, place)], contradictions, faults }
}

export async function publicKeyOf({ fleet }: Stage): Promise<string> {
  const answer = await fetch(`${fleet.urls()[0]}/api/certificate-keys`)
  const { keys } = (await answer.json()) as { keys: { signs: boolean; public_key: string }[] }
  return keys.find(({ signs }) => signs)?.public_key ?? ''
}

async function send(stage: Stage, place: Place, id: string, text: string): Promise<void> {
  const body = { scope_id: place.scopeId, document_id: id, name: id, text }
  const answer = await call(stage, place, '/api/ingest', 'POST', body)
  if (answer.status !== 202)
    throw new Error(`${id} was answered with ${answer.status}: ${await answer.text()}`)
}

/** Until everything is read; what is open then is for people. */
async function settle(stage: Stage, place: Place): Promise<void> {
  await waitUntil(
    async () => {
      const answer = await call(stage, place, `/api/scopes/${place.scopeId}/convergence`, 'GET')
      const { state } = (await answer.json()) as { state: string }
      return state !== 'working' && state !== 'empty'
    },
    { what: `reading everything in ${place.scopeId}`, withinMs: stage.patienceMs, everyMs: 100 },
  )
}

async function resolveAll(stage: Stage, place: Place): Promise<number> {
  const list = `/api/scopes/${place.scopeId}/contradictions`
  const answer = await call(stage, place, `${list}?status=open&limit=100`, 'GET')
  const { items } = (await answer.json()) as Page<{ contradiction_id: string; relation: string }>
  for (const { contradiction_id } of items) {
    const body = { outcome: 'resolved', holds: 'a', reason: 'It is the newer one.' }
    const resolved = await call(stage, place, `${list}/${contradiction_id}/resolution`, 'POST', body)
    if (!resolved.ok) throw new Error(`resolving answered ${resolved.status}: ${await resolved.text()}`)
  }
  return items.length
}

async function declare(stage: Stage, place: Place): Promise<Issued> {
  const path = `/api/scopes/${place.scopeId}/certificate`
  const answer = await call(stage, place, path, 'POST', { by: 'A. Auditor', reason: 'All is said.' })
  if (answer.status !== 201) throw new Error(`declaring answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Issued
}

async function exportBundle({ fleet, repository }: Stage, place: Place): Promise<Bundle> {
  const entry = join(repository ?? REPOSITORY, 'service', 'src', 'main', 'concord.ts')
  const args = [entry, 'certificate', 'export', place.scopeId, '--tenant', place.tenantId]
  return JSON.parse(await runChild({ command: process.execPath, args, env: fleet.deployment.env })) as Bundle
}

async function listsTheSame(stage: Stage, place: Place, { evidence }: Bundle): Promise<boolean> {
  const leaves: unknown[] = []
  let cursor: string | null = null
  do {
    const query: string = `limit=2${cursor === null ? '' : `&cursor=${cursor}`}`
    const answer = await call(
      stage,
      place,
      `/api/scopes/${place.scopeId}/certificate/evidence?${query}`,
      'GET',
    )
    if (!answer.ok) return false
    const page = (await answer.json()) as Page<unknown>
    leaves.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return JSON.stringify(leaves) === JSON.stringify(evidence)
}

function call(
  { fleet }: Stage,
  place: Place,
  path: string,
  method: 'GET' | 'POST',
  body?: object,
): Promise<Response> {
  return fetch(`${fleet.urls()[0] ?? ''}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${place.tenantKey}`,
      'x-tenant-id': place.tenantId,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}
