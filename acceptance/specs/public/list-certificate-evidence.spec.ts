/** listCertificateEvidence: what the newest certificate of a scope is about. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor } from '../../rules/pages.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { declare, settledScope } from '../../world/certificates.ts'
import type { Issued } from '../../world/certificates.ts'
import { claimsOf } from '../../world/claims.ts'
import { ingest } from '../../world/documents.ts'
import type { Made } from '../../world/making.ts'
import { asAdmin, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

type Leaf = Made<'listCertificateEvidence'>['items'][number]

const subject = createSubject('listCertificateEvidence')
const tenants = createSubject('listTenants')
const scopeId = newScopeId()
let tenant: Tenant
let issued: Issued
let leaves: readonly Leaf[]

beforeAll(async () => {
  tenant = await createTenant()
  await settledScope(tenant, scopeId)
  issued = await declare(tenant, scopeId)
  leaves = (await list()).items
})

const ask = (scope: string) => ({ headers: bearer(tenant.key), params: { scopeId: scope } })
const good = () => ask(scopeId)
const list = async (scope = scopeId) => subject.expectAnswer(await subject.call(ask(scope)), 200)
const sha256 = (...parts: readonly (string | Buffer)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Computes the root as RFC 6962 defines it. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes
  if (!only) return sha256()
  if (hashes.length === 1) return only
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  return sha256(Buffer.of(1), rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)))
}

describe('listCertificateEvidence: 200', () => {
  it('shows leaves that have the root which is certified, as many as it says', () => {
    const { evidence } = issued.certificate
    expect(rootOf(leaves.map(({ hash }) => Buffer.from(hash, 'hex'))).toString('hex')).toBe(evidence.root)
    const countOf = (type: Leaf['leaf']['type']) => leaves.filter(({ leaf }) => leaf.type === type).length
    expect(evidence).toMatchObject({
      documents: countOf('document'),
      claims: countOf('claim'),
      contradictions: countOf('contradiction'),
      decisions: countOf('decision'),
    })
  })

  it('shows of each claim the hash of its quote, and no word of it', async () => {
    const claims = await claimsOf(tenant, scopeId)
    const shown = leaves.flatMap(({ leaf }) => (leaf.type === 'claim' ? [leaf] : []))
    expect(shown).toEqual(
      claims.map(({ claim_id, document_id, version, kind, start, end, quote }) =>
        expect.objectContaining({
          claim_id,
          document_id,
          version,
          kind,
          start,
          end,
          quote_sha256: sha256(quote).toString('hex'),
        }),
      ),
    )
    expect(JSON.stringify(leaves)).not.toContain('Borealis')
  })
})

describe('listCertificateEvidence: 404', () => {
  it('does not know that of a scope without a certificate', async () => {
    const { scope_id: scope } = await createScope(tenant)
    subject.expectProblem(await subject.call(ask(scope)), 'certificate_not_found')
  })
})

describe('listCertificateEvidence: 409', () => {
  it('does not show what is there now for what was certified', async () => {
    const scope = await settledScope(tenant)
    await declare(tenant, scope)
    await ingest(tenant, scope)
    subject.expectProblem(await subject.call(ask(scope)), 'certificate_outdated')
  })
})

describePages<Leaf>(subject, {
  list: good,
  idOf: ({ hash }) => hash,
  present: () => leaves.map(({ hash }) => hash),
  foreignCursor: () => firstCursor(tenants, { headers: asAdmin() }),
  anyId: true,
})
describeScopePlace(subject, ask)
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
