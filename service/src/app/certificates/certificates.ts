/** Returns the certificates of scopes and whether they are current, which an exported file cannot show. */
import type { TenantCaller } from '../../domain/caller.ts'
import { hashLeaf, toHex } from '../../domain/certificate.ts'
import type { Certificate, Leaf } from '../../domain/certificate.ts'
import { Fault } from '../../domain/fault.ts'
import { sha256 } from '../../platform/signing.ts'
import * as store from '../../store/certificates/certificates.ts'
import type { CertificateRow } from '../../store/certificates/certificates.ts'
import { inTenant } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { EVIDENCE_START, EVIDENCE_TYPES, readEvidence } from './evidence.ts'
import { decodeCursor, encodeCursor, toPage } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import { ORDINAL, SEQ } from '../patterns.ts'
import { requireScope } from '../scopes/required-scope.ts'
import type { ScopeReadDeps } from '../scopes/sealed-rows.ts'

export type CertificatesDeps = ScopeReadDeps

export interface IssuedCertificate {
  readonly certificate: Certificate
  readonly hash: string
  /** The log position of the first newer evidence. Null while the certificate is current. */
  readonly reopenedAt: number | null
  readonly current: boolean
}

export async function getCertificate(
  { pools }: ScopeReadDeps,
  { tenantId }: TenantCaller,
  scopeId: string,
): Promise<IssuedCertificate> {
  return inTenant(pools.tenant, tenantId, async (transaction) => {
    await requireScope(transaction, scopeId)
    const latest = await requireLatest(transaction, scopeId)
    return toIssued(latest, await reopeningOf(transaction, latest))
  })
}

export async function listCertificates(
  { pools }: ScopeReadDeps,
  { tenantId }: TenantCaller,
  scopeId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<IssuedCertificate>> {
  const [after] = decodeCursor(cursor, [ORDINAL]) ?? []
  return inTenant(pools.tenant, tenantId, async (transaction) => {
    await requireScope(transaction, scopeId)
    const rows = await store.selectCertificates(transaction, scopeId, Number(after ?? 0), limit + 1)
    const last = rows.at(-1)
    const reopenedLast = last ? await reopeningOf(transaction, last) : null
    const successors = new Map(rows.slice(1).map((row, index) => [rows[index], row.certificate]))
    const toItem = (row: CertificateRow): IssuedCertificate => {
      const next = successors.get(row)
      if (!next) return toIssued(row, reopenedLast)
      return { ...toIssued(row, next.previous?.reopened_at ?? null), current: false }
    }
    return toPage(rows, limit, toItem, ({ certificate }) => [String(certificate.about.number)])
  })
}

/** Throws if there is newer evidence, because the certified evidence no longer exists. */
export async function listEvidence(
  deps: ScopeReadDeps,
  who: TenantCaller,
  scopeId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<HashedLeaf>> {
  const [type, id, no] = decodeCursor(cursor, [EVIDENCE_TYPE, DOCUMENT_ID_OR_NONE, SEQ]) ?? []
  const after = type === undefined ? EVIDENCE_START : { type: toType(type), id: id ?? '', no: Number(no) }
  const { leaves, next } = await readEvidence(deps, who, scopeId, after, limit, async (transaction) => {
    await requireScope(transaction, scopeId)
    const latest = await requireLatest(transaction, scopeId)
    if ((await reopeningOf(transaction, latest)) !== null) throw new Fault('certificate_outdated')
    return latest.certificate.format === 'concord-certificate/1' ? 1 : 2
  })
  return {
    items: leaves.map((leaf) => ({ hash: toHex(hashLeaf(sha256, leaf)), leaf })),
    nextCursor: next ? encodeCursor([next.type, next.id, String(next.no)]) : null,
  }
}

export interface HashedLeaf {
  readonly hash: string
  readonly leaf: Leaf
}

const EVIDENCE_TYPE = new RegExp(`^(?:${EVIDENCE_TYPES.join('|')})$`)
const DOCUMENT_ID_OR_NONE = /^[^\0]{0,400}$/

function toType(type: string): Leaf['type'] {
  return EVIDENCE_TYPES.find((each) => each === type) ?? 'document'
}

async function requireLatest(transaction: TenantTransaction, scopeId: string): Promise<CertificateRow> {
  const latest = await store.selectLatestCertificate(transaction, scopeId)
  if (!latest) throw new Fault('certificate_not_found')
  return latest
}

/** Returns the log position of the first newer evidence. */
export async function reopeningOf(
  transaction: TenantTransaction,
  { certificate: { about } }: CertificateRow,
): Promise<number | null> {
  return store.selectNewEvidence(transaction, about.scope_id, about.log_position)
}

export function toIssued(
  { certificate, hash }: CertificateRow,
  reopenedAt: number | null,
): IssuedCertificate {
  return { certificate, hash: hash.toString('hex'), reopenedAt, current: reopenedAt === null }
}
