/** A verdict that comes after a certificate changes evidence, so the log tells of it and the certificate is not current any more. */
import { beforeEach, expect, it } from 'vitest'
import { getCertificate, listEvidence } from '../../../src/app/certificates/certificates.ts'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { declareSettled } from '../../../src/app/certificates/declarations.ts'
import { completeQuestion, findDue, leaseQuestion } from '../../../src/app/contradictions/judge-requests.ts'
import { putPolicy } from '../../../src/app/access/policies.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import { useDatabase } from '../../support/database.ts'
import { CERTIFY_RULES, declaringDeps } from '../../support/declaring.ts'
import { logOf } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { answered, BRIDGE, engine, openCourt, readPaper } from '../../support/judging.ts'
import type { Court } from '../../support/judging.ts'
import { auditor } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 6, 'worker')
let court: Court

beforeEach(async () => {
  court = await openCourt(api(), worker())
  await putPolicy({ pools: api(), policyEngine: engine, auditor }, court.tenant.caller, null, CERTIFY_RULES)
})

const page = { limit: 100, cursor: undefined }
const dated = (documentId: string, day: string, sentence: string) =>
  readPaper(documentId, `Date: ${day}`, sentence)

/** Answers the question that is due first in the order of what it asks, and leaves the others. */
async function answerOne(nth: number) {
  const due = (await findDue(court.deps, 1_000)).filter(({ tenantId }) => tenantId === court.tenant.tenantId)
  const taken = []
  for (const place of due) {
    const each = await leaseQuestion(court.deps, place)
    if (typeof each !== 'string') taken.push(each)
  }
  const ordered = taken.toSorted((x, y) =>
    JSON.stringify(x.question).localeCompare(JSON.stringify(y.question)),
  )
  const chosen = ordered.at(nth)
  if (!chosen) throw new Error('there is nothing to answer')
  await completeQuestion(court.deps, chosen, answered('conflict')(chosen.question))
  const rest = ordered.filter((each) => each !== chosen)
  return async () => {
    for (const each of rest) await completeQuestion(court.deps, each, answered('conflict')(each.question))
  }
}

it.each([0, -1])('is noticed, whichever of the two verdicts comes first (%i)', async (nth) => {
  const { caller } = court.tenant
  const deps = declaringDeps(api())
  // The same sentence in two dated reports: two questions, and one contradiction.
  await court.bureau.process([
    dated('a', '1 March 2024', BRIDGE[0]),
    dated('b', '1 March 2025', BRIDGE[1]),
    dated('c', '1 March 2026', BRIDGE[0]),
  ])
  const answerRest = await answerOne(nth)
  const list = async () => (await listContradictions(deps, caller, 'default', page)).items
  const [found, ...others] = await list()
  if (!found || others.length > 0) throw new Error('there is one contradiction')
  const sources = [found.a.source, found.b.source]
  const settlement = { outcome: 'dismissed', holds: null, by: null, reason: null } as const
  await resolveContradiction(deps, caller, 'default', found.contradictionId, settlement)
  await declareSettled(deps, caller, 'default', { by: null, reason: null })
  const certified = (await listEvidence(deps, caller, 'default', page)).items
  const position = (await logOf(database(), court.tenant)).length

  await answerRest()

  const since = (await logOf(database(), court.tenant)).slice(position)
  expect(since.map(({ kind }) => kind)).toEqual(['contradiction.changed', 'scope.reopened'])
  expect(await getCertificate(deps, caller, 'default')).toMatchObject({
    current: false,
    reopenedAt: since[0]?.seq,
  })
  expect(await faultOf(listEvidence(deps, caller, 'default', page))).toBe('certificate_outdated')
  expect(certified.length).toBeGreaterThan(0)
  // The person looked at these documents, and no others are named.
  const [after] = await list()
  expect([after?.a.source, after?.b.source]).toEqual(sources)
  expect(after).toMatchObject({ status: 'dismissed', further: 1 })
})
