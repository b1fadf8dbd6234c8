/** The statements of certificates. Certificates are inserted once and never updated. */
import type { Certificate } from '../../domain/certificate.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface CertificateRow {
  readonly certificate: Certificate
  /** The hash of the whole certificate. */
  readonly hash: Buffer
}

/** The caller must hold the lock of the scope's head. */
export async function insertCertificate(
  { connection, tenantId }: TenantTransaction,
  { certificate, hash }: CertificateRow,
): Promise<void> {
  const { about } = certificate
  await connection.query(
    `insert into certificates (tenant_id, scope_id, number, certificate_id, epoch, log_position, hash, certificate, issued_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      tenantId,
      about.scope_id,
      about.number,
      about.certificate_id,
      about.epoch,
      about.log_position,
      hash,
      JSON.stringify(certificate),
      about.issued_at,
    ],
  )
}

export async function selectLatestCertificate(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<CertificateRow | undefined> {
  const { rows } = await connection.query<CertificateRow>(
    `select certificate, hash from certificates where tenant_id = $1 and scope_id = $2 order by number desc limit 1`,
    [tenantId, scopeId],
  )
  return rows[0]
}

/** Selects certificates, oldest first. */
export async function selectCertificates(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  after: number,
  limit: number,
): Promise<CertificateRow[]> {
  const { rows } = await connection.query<CertificateRow>(
    `select certificate, hash from certificates where tenant_id = $1 and scope_id = $2 and number > $3
      order by number limit $4`,
    [tenantId, scopeId, after, limit],
  )
  return rows
}

/** Selects the position of the first event after a position that changes the evidence. */
export async function selectNewEvidence(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  after: number,
): Promise<number | null> {
  const { rows } = await connection.query<{ seq: string | null }>(
    'select find_new_evidence($1, $2, $3) as seq',
    [tenantId, scopeId, after],
  )
  const seq = rows[0]?.seq ?? null
  return seq === null ? null : Number(seq)
}

/**
 * Records that a certificate was issued, so that the next change of convergence appends an event if the scope is reopened. The caller
 * must hold the lock of the scope's head.
 */
export async function recordCertified(
  { connection, tenantId }: TenantTransaction,
  { about }: Certificate,
): Promise<void> {
  await connection.query(
    `update scope_convergence set certificate_id = $3, certificate_number = $4, certified_position = $5
      where tenant_id = $1 and scope_id = $2`,
    [tenantId, about.scope_id, about.certificate_id, about.number, about.log_position],
  )
}
