/**
 * Scopes that are certified while a question to the judge waits for its answer. The answer changes a contradiction that a person dismissed:
 * the certificate must notice, and the contradiction must name the same documents as before.
 */
import { isDeepStrictEqual } from 'node:util'
import { waitUntil } from '@concord/tools/launch'
import { runConcord } from '../../harness/command.ts'
import { requestAll, requestJson } from '../../harness/http.ts'
import type { Place } from '../../harness/places.ts'
import type { HesitantJudge } from './judge-endpoint.ts'
import { asTenant, declare, ingest, permitRules } from './stage.ts'
import type { ProvedCertificate, CertificateStage } from './stage.ts'

export interface LateVerdict {
  /** Whether the contradiction says something else than when it was certified. */
  readonly isChanged: boolean
  /** Whether the evidence is not what was certified while the certificate is said to be current. */
  readonly isSilent: boolean
  readonly namesOthers: boolean
}

/** Rules bring the sentences together and do not decide. The first is in two reports, so there are two questions about one contradiction. */
const FOUND = 'The bridge inspection found severe corrosion on the north pier.'
const NOT_FOUND = 'The bridge inspection found no corrosion worth mentioning on either pier.'
const REPORTS = [
  ['a', '1 March 2024', FOUND],
  ['b', '1 March 2025', NOT_FOUND],
  ['c', '1 March 2026', FOUND],
] as const

export async function certifyBeforeVerdict(
  stage: CertificateStage,
  place: Place,
  judge: HesitantJudge,
): Promise<LateVerdict> {
  const { url, command } = stage
  const certificate = asTenant(place, 'certificate')
  const evidence = asTenant(place, 'certificate/evidence')
  const until = (what: string, check: () => Promise<boolean> | boolean) =>
    waitUntil(check, { what: `${what} in ${place.scopeId}`, withinMs: stage.patienceMs, everyMs: 100 })
  const list = () => requestAll<Shown>(url, asTenant(place, 'contradictions'))

  await runConcord(command, 'judge', 'permit', '--tenant', place.tenantId)
  await requestJson(url, permitRules(stage, place))
  judge.hesitate()
  for (const [id, day, sentence] of REPORTS) await ingest(stage, place, id, `Date: ${day}\n\n${sentence}`)
  await until('the first verdict', async () => judge.waiting() > 0 && (await list()).length === 1)
  const [before] = await list()
  const path = `contradictions/${before?.contradiction_id}/resolution`
  await requestJson(url, { ...asTenant(place, path), body: { outcome: 'dismissed', reason: 'Two bridges.' } })
  await declare(stage, place)
  const certified = await requestAll<unknown>(url, evidence)

  judge.goOn()
  await until('the second verdict', async () => {
    const { stdout } = await runConcord(command, 'judge', 'show', '--tenant', place.tenantId, '--json')
    return (JSON.parse(stdout) as { waiting: number }).waiting === 0
  })
  const { current } = await requestJson<ProvedCertificate>(url, certificate)
  const [after] = await list()
  return {
    isChanged: before?.further !== after?.further,
    isSilent: current && !isDeepStrictEqual(await requestAll<unknown>(url, evidence), certified),
    namesOthers: !isDeepStrictEqual(documentsOf(after), documentsOf(before)),
  }
}

interface Shown {
  readonly contradiction_id: string
  readonly further: number
  readonly a: { readonly document_id: string | null }
  readonly b: { readonly document_id: string | null }
}

function documentsOf(shown: Shown | undefined) {
  return [shown?.a.document_id, shown?.b.document_id]
}
