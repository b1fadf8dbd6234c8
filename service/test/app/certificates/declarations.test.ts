import { beforeEach, describe, expect, it } from 'vitest'
import { getCertificate, listCertificates, listEvidence } from '../../../src/app/certificates/certificates.ts'
import { exportCertificates } from '../../../src/app/certificates/export.ts'
import { declareSettled } from '../../../src/app/certificates/declarations.ts'
import type { DeclarationDeps } from '../../../src/app/certificates/declarations.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { putPolicy } from '../../../src/app/access/policies.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import { verifyFile } from '../../../src/command/certificate-file.ts'
import { certificateHashOf, hashLeaf, toHex } from '../../../src/domain/certificate.ts'
import type { Certificate } from '../../../src/domain/certificate.ts'
import { createMerkleTree } from '../../../src/domain/certificate/merkle.ts'
import { RULE_READER } from '../../../src/domain/reading-report.ts'
import { FairQueue, FairQueueTimeout } from '../../../src/platform/fair-queue.ts'
import { readPublicKey, sha256 } from '../../../src/platform/signing.ts'
import { insertCertificate } from '../../../src/store/certificates/certificates.ts'
import { selectLog } from '../../../src/store/scopes/scope-log.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { CERTIFY_RULES, declaringDeps, FORBIDDING } from '../../support/declaring.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { certifyFirstForm } from '../../support/certificates.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
import { fieldsOf, faultOf } from '../../support/faults.ts'
import { auditor, makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant
let bureau: Bureau
let deps: DeclarationDeps

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
  deps = declaringDeps(api())
  await govern(CERTIFY_RULES)
})

const page = { limit: 100, cursor: undefined }
const words = { by: 'A. Auditor', reason: 'All is said.' }
const declare = () => declareSettled(deps, tenant.caller, 'default', words)
const govern = (text: string) =>
  putPolicy({ pools: api(), policyEngine: deps.policyEngine, auditor }, tenant.caller, null, text)
const read = () => getCertificate(deps, tenant.caller, 'default')
const agree = (more = 0) =>
  bureau.process([
    { documentId: 'a', claims: [statement(10), statement(3, 'Borealis', 'debt')] },
    { documentId: 'b', claims: [statement(10)] },
    ...Array.from({ length: more }, (_, nth) => ({
      documentId: `c${nth}`,
      claims: [statement(nth, `C${nth}`)],
    })),
  ])

async function exported(): Promise<string> {
  let file = ''
  for await (const piece of exportCertificates(deps, tenant.caller, 'default')) file += piece
  return file
}

const verify = (file: string) =>
  verifyFile(file, {
    keys: deps.certificateKeys.map(({ publicKeyPem }) => readPublicKey(publicKeyPem)),
    partial: false,
  }).differences

const reopenings = async () =>
  (await inTenant(api().tenant, tenant.tenantId, (own) => selectLog(own, 'default', 0, 1_000)))
    .filter(({ kind }) => kind === 'scope.reopened')
    .map(({ data }) => data)

describe('declaring a scope settled', () => {
  it('signs the evidence, and its export can be verified', async () => {
    await agree(5)
    const { certificate, issued, current } = await declare()
    expect({ issued, current }).toEqual({ issued: true, current: true })
    expect(certificate.evidence).toMatchObject({ documents: 7, claims: 8, contradictions: 0 })
    expect(certificate.previous).toBeNull()
    expect(certificate).toMatchObject({
      format: 'concord-certificate/2',
      scores: { state: 'settled' },
      reading: {
        readers: [{ reader: 'rules', reader_version: '1', documents: 7 }],
        coverage: 1,
        documents_with_gaps: 0,
        claims: 8,
        // All but the debt, which one document tells of.
        claims_compared: 7,
        comparisons_incomplete: 0,
      },
    })
    const file = await exported()
    expect(verify(file)).toEqual([])
    expect(file).not.toMatch(/Borealis|Auditor/)
    // Page by page it is the same.
    const leaves = []
    let cursor: string | undefined
    do {
      const part = await listEvidence(deps, tenant.caller, 'default', { limit: 2, cursor })
      leaves.push(...part.items)
      cursor = part.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(leaves).toEqual((JSON.parse(file) as { evidence: unknown }).evidence)
  })

  it('returns the existing certificate while nothing has changed', async () => {
    await agree()
    const first = await declare()
    expect(await declare()).toEqual({ ...first, issued: false })
    expect((await listCertificates(deps, tenant.caller, 'default', page)).items).toHaveLength(1)
  })

  it('creates one certificate for several requests at once', async () => {
    await agree()
    const all = await Promise.all(Array.from({ length: 4 }, () => declare()))
    expect(all.filter(({ issued }) => issued)).toHaveLength(1)
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(1)
  })

  it('reads the evidence in its turn, and evaluates policy before', async () => {
    await agree()
    const evidenceTurns = new FairQueue({ slots: 3, waitMs: 50 })
    const inTurn = () => declareSettled({ ...deps, evidenceTurns }, tenant.caller, 'default', words)
    const release = await evidenceTurns.acquire(tenant.tenantId, `${tenant.tenantId}/default`)
    await expect(inTurn()).rejects.toThrow(FairQueueTimeout)
    await govern(FORBIDDING)
    await expect(inTurn()).rejects.toMatchObject({ code: 'refused_by_policy' })
    await govern(CERTIFY_RULES)
    release()
    expect(await inTurn()).toMatchObject({ issued: true })
  })

  it('is recorded in the log and in the audit log, with ids and counts', async () => {
    await agree()
    const { certificate } = await declare()
    const log = await inTenant(api().tenant, tenant.tenantId, (own) =>
      selectLog(own, 'default', certificate.about.log_position, 10),
    )
    const { certificate_id, decision_id, log_position } = certificate.about
    expect(log.map(({ kind, data }) => ({ kind, data }))).toEqual([
      {
        kind: 'decision.made',
        data: { decision_id, point: 'settle_scope', result: 'allowed', decided_by: 'policy' },
      },
      { kind: 'scope.declared', data: { certificate_id, decision_id, log_position, number: 1 } },
    ])
    const recorded = await look<{ action: string }>(
      database(),
      `select action from audit_log where tenant_id = '${tenant.tenantId}' and scope_id = 'default'`,
    )
    expect(recorded.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['decision.made', 'scope.declared', 'certificate.issued']),
    )
  })

  it('is refused while something is open, unfinished or missing', async () => {
    expect(await faultOf(declare())).toBe('not_settled')
    await bureau.process([
      { documentId: 'a', claims: [statement(10)] },
      { documentId: 'b', claims: [statement(12)] },
    ])
    expect(await faultOf(declare())).toBe('not_settled')
    expect(await faultOf(read())).toBe('certificate_not_found')
  })

  it('is refused by policy, and the refusal is stored', async () => {
    await agree()
    await govern(FORBIDDING)
    expect(await faultOf(declare())).toBe('refused_by_policy')
    const kept = await inTenant(api().tenant, tenant.tenantId, async ({ connection }) =>
      connection.query(`select point, result, policies from decisions where point = 'settle_scope'`),
    )
    expect(kept.rows).toEqual([{ point: 'settle_scope', result: 'refused', policies: ['tenant/never'] }])
    await govern(CERTIFY_RULES)
    expect((await declare()).issued).toBe(true)
  })
})

describe('a scope', () => {
  const unread = { ...RULE_READER, charactersRead: 0, claims: 0 }
  const partly = { charactersRead: 4, unread: [{ reason: 'limit' as const, characters: 5, passages: 1 }] }

  it('is not certified if only rules have read it, unless a policy permits it by name', async () => {
    await agree()
    await govern('')
    expect(await faultOf(declare())).toBe('refused_by_policy')
    expect(await fieldsOf(declare())).toEqual([
      {
        pointer: '/documents',
        code: 'reader_not_permitted',
        message:
          'Only the rule reader has read these documents; a policy of the tenant must permit that by name.',
      },
    ])
  })

  it('is certified without a policy of the tenant if a model has read it', async () => {
    const report = { reader: 'model:some-model', readerVersion: '2' }
    await bureau.process([
      { documentId: 'a', claims: [statement(10)], report },
      { documentId: 'b', claims: [statement(10)], report },
    ])
    await govern('')
    const { certificate } = await declare()
    expect(certificate).toMatchObject({
      policy: { policies: ['default/settle-scope'] },
      reading: { readers: [{ reader: 'model:some-model', reader_version: '2', documents: 2 }] },
    })
    expect(verify(await exported())).toEqual([])
  })

  it('is refused if it was read by rules and by a model, like one that rules have read', async () => {
    await agree()
    await bureau.process([{ documentId: 'c', claims: [statement(10)], report: { reader: 'model:x' } }])
    await govern('')
    expect(await fieldsOf(declare())).toMatchObject([{ code: 'reader_not_permitted' }])
  })

  it('is refused with the documents that were not read, even if its reader is permitted', async () => {
    await agree()
    await bureau.process([
      { documentId: 'partly', claims: [statement(10)], report: partly },
      { documentId: 'silent', claims: [] },
      { documentId: 'unread', claims: [], report: unread },
    ])
    expect(await faultOf(declare())).toBe('not_settled')
    expect(await fieldsOf(declare())).toMatchObject([
      { pointer: '/documents/unread', code: 'document_unread' },
      { pointer: '/documents/partly', code: 'document_partly_read' },
      { pointer: '/documents/silent', code: 'document_without_claims' },
    ])
    await govern('')
    expect((await fieldsOf(declare())).map(({ code }) => code)).toContain('reader_not_permitted')
  })

  it('is certified with unread parts if a policy permits it, and the certificate states them', async () => {
    await agree()
    await bureau.process([{ documentId: 'partly', claims: [statement(10)], report: partly }])
    await govern(`@id("some") permit (principal, action == Concord::Action::"settle_scope", resource)
      when { context.reader == "rules" && context.coverage >= 700 };`)
    const { certificate } = await declare()
    expect(certificate).toMatchObject({
      scores: { state: 'converging' },
      reading: { coverage: 0.814814, characters: 27, characters_read: 22, documents_with_gaps: 1 },
    })
    expect(verify(await exported())).toEqual([])
  })

  it('is certified without removed documents', async () => {
    await agree()
    const before = await declare()
    await bureau.process([{ documentId: 'unread', claims: [], report: unread }])
    expect(await faultOf(declare())).toBe('not_settled')
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'unread')
    const { certificate } = await declare()
    expect(certificate.evidence.documents).toBe(3)
    expect(certificate).toMatchObject({ reading: { coverage: 1, characters: 18, documents_with_gaps: 0 } })
    expect(before.certificate).toMatchObject({ reading: { characters: 18 } })
    expect(verify(await exported())).toEqual([])
  })

  it('is refused if not all claims were compared, even if all contradictions are decided', async () => {
    const papers = Array.from({ length: 10 }, (_, nth) => ({
      documentId: `d${nth}`,
      claims: [statement(10)],
    }))
    await bureau.process([...papers, { documentId: 'other', claims: [statement(12)] }])
    const dismissed = {
      outcome: 'dismissed',
      holds: null,
      by: null,
      reason: 'It is a typing error.',
    } as const
    for (const { contradictionId: id } of await bureau.rows())
      await resolveContradiction(deps, tenant.caller, 'default', id, dismissed)
    expect(await faultOf(declare())).toBe('not_settled')
    expect(await fieldsOf(declare())).toMatchObject([
      { pointer: '/comparisons', code: 'comparison_incomplete' },
    ])
    await govern(`@id("cut") permit (principal, action == Concord::Action::"settle_scope", resource)
      when { context.reader == "rules" && context.incomplete > 0 };`)
    expect((await declare()).certificate).toMatchObject({
      scores: { state: 'converging' },
      reading: { comparisons_incomplete: expect.toSatisfy((groups: number) => groups > 0) },
    })
  })

  it('is refused if hardly anything was compared, and the refusal states how much', async () => {
    await bureau.process([{ documentId: 'a', claims: [statement(10)] }])
    expect(await faultOf(declare())).toBe('not_settled')
    expect(await fieldsOf(declare())).toMatchObject([{ pointer: '/claims', code: 'unassessed' }])
  })
})

describe('a certificate', () => {
  it('is no longer current after new evidence, and the next one states that', async () => {
    await agree()
    const first = await declare()
    await bureau.process([{ documentId: 'late', claims: [statement(10)] }])
    const reopened = await read()
    expect(reopened).toMatchObject({ current: false, certificate: first.certificate })
    expect(reopened.reopenedAt).toBeGreaterThan(first.certificate.about.log_position)
    expect(await faultOf(listEvidence(deps, tenant.caller, 'default', page))).toBe('certificate_outdated')
    const second = await declare()
    expect(second.certificate.previous).toEqual({
      certificate_id: first.certificate.about.certificate_id,
      hash: first.hash,
      reopened_at: reopened.reopenedAt,
    })
    expect(verify(await exported())).toEqual([])
    const { items } = await listCertificates(deps, tenant.caller, 'default', page)
    expect(items.map(({ current, reopenedAt }) => [current, reopenedAt])).toEqual([
      [false, reopened.reopenedAt],
      [true, null],
    ])
  })

  it('causes one event after new evidence, and another one after the next certificate', async () => {
    await agree()
    const { certificate } = await declare()
    await bureau.process([{ documentId: 'late', claims: [statement(10)] }])
    await bureau.process([{ documentId: 'later', claims: [statement(10)] }])
    const { reopenedAt } = await read()
    const { certificate_id, log_position } = certificate.about
    const told = { certificate_id, number: 1, log_position, reopened_at: reopenedAt }
    expect(await reopenings()).toEqual([told])
    await declare()
    expect((await read()).current).toBe(true)
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'late')
    expect(await reopenings()).toEqual([told, expect.objectContaining({ number: 2 })])
  })

  it('is exported without evidence once it is not current', async () => {
    await agree()
    await declare()
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'b')
    expect(verify(await exported()).map(({ part }) => part)).toEqual(['evidence'])
  })

  it('of form 1 can still be listed and exported, and one of form 2 follows it', async () => {
    await agree()
    const { certificate } = await declare()
    const replace = async (evidence: Certificate['evidence']) => {
      const first = certifyFirstForm({ ...certificate, evidence }, deps.certificateKeys[0])
      await look(database(), `delete from certificates where tenant_id = '${tenant.tenantId}'`)
      const hash = Buffer.from(certificateHashOf(sha256, first), 'hex')
      await inTenant(api().tenant, tenant.tenantId, (own) =>
        insertCertificate(own, { certificate: first, hash }),
      )
    }
    // Its root is over leaves that do not say what was read.
    await replace(certificate.evidence)
    const { items } = await listEvidence(deps, tenant.caller, 'default', page)
    const tree = createMerkleTree(sha256)
    for (const { leaf } of items) tree.add(hashLeaf(sha256, leaf))
    await replace({ ...certificate.evidence, root: toHex(tree.root()) })
    expect(items.some(({ leaf }) => 'reading' in leaf)).toBe(false)
    expect(verify(await exported())).toEqual([])
    await bureau.process([{ documentId: 'late', claims: [statement(10)] }])
    await declare()
    const file = await exported()
    expect(verify(file)).toEqual([])
    expect(file.match(/concord-certificate\/\d/g)).toEqual(['concord-certificate/1', 'concord-certificate/2'])
  })

  it('is deleted with the content of its scope', async () => {
    await agree()
    await declare()
    const erasing = { pools: api(), masterKeys, auditor, announceEvents: () => undefined }
    await resetScope(erasing, tenant.caller, 'default')
    expect(await faultOf(read())).toBe('certificate_not_found')
    bureau = openBureau(api(), worker(), tenant)
    await agree()
    expect((await declare()).certificate.about).toMatchObject({ number: 1, epoch: 1 })
  })
})
