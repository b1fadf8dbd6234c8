/** Scopes that are settled, certified, reopened by a new document and certified again, through the whole service. */
import { waitUntil } from '@concord/tools/launch'
import { runConcord } from '../../harness/command.ts'
import { requestAll, requestJson, send } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import type { Place } from '../../harness/places.ts'
import type { Bundle } from './bundle.ts'

export interface CertificateStage {
  readonly url: string
  readonly admin: string
  /** How the commands of its operator are run. */
  readonly command: Parameters<typeof runConcord>[0]
  readonly patienceMs: number
}

export interface Course {
  /** The exported bundles: after the first certificate, and after the second. */
  readonly bundles: readonly Bundle[]
  readonly contradictions: number
  /** Each failure as a sentence. */
  readonly faults: readonly string[]
}

export interface ProvedCertificate {
  readonly certificate: Bundle['certificates'][number]
  readonly hash: string
  readonly current: boolean
  readonly reopened_at: number | null
}

/** Some agree and some do not, so that there is something to resolve. */
const TEXTS = (nth: number) => [
  `Borealis Ltd had revenue of EUR ${12 + nth}.4m in 2025.\n\nThe lease ends on 30 June 2027.`,
  `Borealis Ltd had revenue of EUR ${12 + nth}.4m in 2025.\n\nBorealis Ltd had ${400 + nth} employees at the end of 2025.`,
  ...(nth % 2 === 0 ? [`Borealis Ltd had revenue of EUR ${11 + nth}.9m in 2025.`] : []),
]

/** It asks for nothing but the reader and the coverage, so that coverage alone keeps what was not read from being certified. */
const COVERED = `@id("covered")
permit (principal, action == Concord::Action::"settle_scope", resource)
when { context.reader == "rules" && context.coverage == 1000 };
`

/** The reader stops after 400 claims, so the end of this text stays unread. */
const TOO_LONG = Array.from(
  { length: 500 },
  (_, nth) => `Branch ${nth} of Borealis Ltd had revenue of EUR ${nth + 1}m in 2025.`,
).join('\n\n')

export async function goThrough(stage: CertificateStage, place: Place, nth: number): Promise<Course> {
  const { url } = stage
  const faults: string[] = []
  const expect = (holds: boolean, what: string) => void (holds || faults.push(`${place.scopeId}: ${what}`))
  const certificate = asTenant(place, 'certificate')
  const evidence = asTenant(place, 'certificate/evidence')

  const early = await send(url, { ...certificate, method: 'POST' })
  expect(early.status === 409, 'an empty scope was declared')
  await Promise.all(TEXTS(nth).map((text, index) => ingest(stage, place, `document-${index}`, text)))
  const contradictions = await settle(stage, place)
  const refused = await send(url, { ...certificate, method: 'POST' })
  expect(
    isRefused(refused, 'refused_by_policy', 'reader_not_permitted'),
    `without a policy it answered ${refused.status}`,
  )
  await requestJson(url, permitRules(stage, place))
  await ingest(stage, place, 'too-long', TOO_LONG)
  await settle(stage, place)
  const partly = await send(url, { ...certificate, method: 'POST' })
  expect(
    isRefused(partly, 'not_settled', 'document_partly_read'),
    `with a document partly read it answered ${partly.status}`,
  )
  await requestJson(url, { ...asTenant(place, 'documents/too-long'), method: 'DELETE' })
  // Compares the documents that the removal left.
  await settle(stage, place)
  const first = await declare(stage, place)
  const again = await send(url, { ...certificate, method: 'POST' })
  expect(again.status === 200, `declaring again answered ${again.status}`)
  expect(
    (JSON.parse(again.text) as ProvedCertificate).hash === first.hash,
    'declaring again made another certificate',
  )
  const before = await exportBundle(stage, place)
  const leaves = await requestAll<unknown>(url, evidence, 2)
  const isSame = JSON.stringify(leaves) === JSON.stringify(before.evidence)
  expect(isSame, 'HTTP lists other evidence than was exported')

  await ingest(stage, place, 'late', `The lease of Borealis Ltd ends on ${1 + nth} May 2031.`)
  const news = await requestJson<ProvedCertificate>(url, certificate)
  const { log_position: settledAt } = first.certificate.about
  expect(!news.current, 'a certificate is current after new evidence')
  expect((news.reopened_at ?? 0) > settledAt, `new evidence is said to have come at ${news.reopened_at}`)
  const outdated = await send(url, evidence)
  expect(outdated.status === 409, `evidence of before answered ${outdated.status}`)

  await settle(stage, place)
  const second = await declare(stage, place)
  const { previous, about } = second.certificate
  expect(about.number === 2, `the second certificate has number ${about.number}`)
  expect(previous?.hash === first.hash, 'the second certificate does not follow the first')
  expect(previous?.reopened_at === news.reopened_at, 'the second certificate does not tell of the news')
  return { bundles: [before, await exportBundle(stage, place)], contradictions, faults }
}

export function permitRules({ admin }: CertificateStage, { scopeId, tenantKey }: Place): HttpRequest {
  const path = `/admin/scopes/${scopeId}/policy`
  return { method: 'PUT', path, bearer: admin, tenantKey, body: { text: COVERED } }
}

function isRefused({ status, text }: { status: number; text: string }, code: string, why: string): boolean {
  const problem = JSON.parse(text) as { code?: string; errors?: { code: string }[] }
  const reasons = problem.errors?.map((error) => error.code) ?? []
  return status === 409 && problem.code === code && reasons.includes(why)
}

export function asTenant({ scopeId, tenantKey, tenantId }: Place, path: string): HttpRequest {
  return { path: `/api/scopes/${scopeId}/${path}`, bearer: tenantKey, tenantId }
}

export async function ingest(
  { url }: CertificateStage,
  place: Place,
  id: string,
  text: string,
): Promise<void> {
  const body = { scope_id: place.scopeId, document_id: id, name: id, text }
  await requestJson(url, { ...asTenant(place, ''), path: '/api/ingest', body })
}

/** Waits until everything is read, resolves what is open then, and returns how much that was. */
async function settle({ url, patienceMs }: CertificateStage, place: Place): Promise<number> {
  const readState = () => requestJson<{ state: string }>(url, asTenant(place, 'convergence'))
  await waitUntil(async () => !['working', 'empty'].includes((await readState()).state), {
    what: `reading everything in ${place.scopeId}`,
    withinMs: patienceMs,
    everyMs: 100,
  })
  const open = asTenant(place, 'contradictions?status=open')
  const items = await requestAll<{ contradiction_id: string }>(url, open)
  for (const { contradiction_id: id } of items) {
    const body = { outcome: 'resolved', holds: 'a', reason: 'It is the newer one.' }
    await requestJson(url, { ...asTenant(place, `contradictions/${id}/resolution`), body })
  }
  return items.length
}

export async function declare({ url }: CertificateStage, place: Place): Promise<ProvedCertificate> {
  const body = { by: 'A. Auditor', reason: 'All is said.' }
  const { status, text } = await send(url, { ...asTenant(place, 'certificate'), body })
  if (status !== 201) throw new Error(`declaring answered ${status}: ${text}`)
  return JSON.parse(text) as ProvedCertificate
}

async function exportBundle({ command }: CertificateStage, { scopeId, tenantId }: Place): Promise<Bundle> {
  const { stdout } = await runConcord(command, 'certificate', 'export', scopeId, '--tenant', tenantId)
  return JSON.parse(stdout) as Bundle
}
