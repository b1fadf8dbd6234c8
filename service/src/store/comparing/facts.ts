/**
 * The statement that files the facts of documents: their witnesses, words and comparison steps. One statement serves several
 * tenants; the database function sets each tenant in turn. The caller must hold the locks of the scopes' heads.
 */
import type { ClaimKind } from '../../domain/claim.ts'
import type { Finding, Severity } from '../../domain/finding.ts'
import type { KnownFinding } from './comparison.ts'
import type { ContradictionStatus } from '../contradictions/contradictions.ts'
import type { PoolConnection } from '../pools.ts'
import { at, groupByTenant, toBigintArray } from '../scope-batches.ts'
import type { ScopeRef } from '../scope-batches.ts'
import type { TenantTransaction } from '../transaction.ts'

/** A fact, with the first document of the filing that states it. */
export interface NewFact {
  readonly key: bigint
  readonly documentId: string
  readonly tokens: number
  readonly words: readonly bigint[]
}

/** A claim that states a fact. */
export interface Witness {
  readonly factKey: bigint
  readonly documentId: string
  readonly no: number
  readonly version: number
}

export interface FactFiling extends ScopeRef {
  readonly epoch: number
  /** Documents whose earlier facts are replaced. */
  readonly documents: readonly string[]
  readonly facts: readonly NewFact[]
  readonly witnesses: readonly Witness[]
}

/** The claim that is shown for one side of a contradiction. */
export interface ShownClaim {
  readonly documentId: string
  readonly no: number
  readonly version: number
  /** Null if the claim is not stored yet. */
  readonly sealed: Buffer | null
}

/** A contradiction that was shown with a claim of one of the documents. A side is undefined if no claim states it any more. */
export interface AffectedContradiction {
  readonly known: KnownFinding
  readonly values: readonly [bigint, bigint]
  readonly sealed: Buffer
  readonly a: ShownClaim | undefined
  readonly b: ShownClaim | undefined
}

export interface FiledFacts {
  /** Facts of the filing that were compared before. */
  readonly compared: Set<bigint>
  readonly affected: AffectedContradiction[]
}

export async function fileFacts(
  connection: PoolConnection,
  filings: readonly FactFiling[],
  factsOfStep: number,
): Promise<FiledFacts[]> {
  const { rows } = await connection.query<FiledColumns>({
    name: 'file-facts-by-kind',
    text: `select at, row_kind, fact_key, contradiction_id, group_key, print, relation, kind, severity, status, document_a, document_b,
                  value_a, value_b, sealed, shown_a, no_a, version_a, claim_a, shown_b, no_b, version_b, claim_b
             from file_facts($1, $2)`,
    values: [groupByTenant(filings, toRecord), factsOfStep],
  })
  const filed = filings.map((): FiledFacts => ({ compared: new Set(), affected: [] }))
  for (const row of rows) {
    const { compared, affected } = at(filed, row.at)
    if (row.row_kind === 'compared_fact') compared.add(BigInt(row.fact_key))
    else affected.push(toAffected(row))
  }
  return filed
}

/** Selects how many claims state each fact. Facts that do not exist are missing in the result. */
export async function selectWitnessCounts(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  keys: readonly bigint[],
): Promise<Map<bigint, number>> {
  const { rows } = await connection.query<{ fact_key: string; witnesses: number }>(
    'select fact_key, witnesses from facts where tenant_id = $1 and scope_id = $2 and fact_key = any($3)',
    [tenantId, scopeId, toBigintArray(keys)],
  )
  return new Map(rows.map(({ fact_key: key, witnesses }) => [BigInt(key), witnesses]))
}

function toRecord({ epoch, documents, facts, witnesses }: FactFiling) {
  return {
    epoch,
    documents,
    keys: toBigintArray(facts.map(({ key }) => key)),
    authors: facts.map(({ documentId }) => documents.indexOf(documentId) + 1),
    tokens: facts.map(({ tokens }) => tokens),
    words: facts.map(({ words }) => toBigintArray(words)),
    witness_keys: toBigintArray(witnesses.map(({ factKey }) => factKey)),
    witness_documents: witnesses.map(({ documentId }) => documentId),
    witness_nos: witnesses.map(({ no }) => no),
    witness_versions: witnesses.map(({ version }) => version),
  }
}

interface FiledColumns {
  readonly at: number
  readonly row_kind: 'compared_fact' | 'affected_contradiction'
  readonly fact_key: string
  readonly contradiction_id: string
  readonly group_key: string
  readonly print: string
  readonly relation: Finding['relation']
  readonly kind: ClaimKind
  readonly severity: Severity
  readonly status: ContradictionStatus
  readonly document_a: string
  readonly document_b: string
  readonly value_a: string
  readonly value_b: string
  readonly sealed: Buffer
  readonly shown_a: string | null
  readonly no_a: number
  readonly version_a: number
  readonly claim_a: Buffer | null
  readonly shown_b: string | null
  readonly no_b: number
  readonly version_b: number
  readonly claim_b: Buffer | null
}

function toAffected(row: FiledColumns): AffectedContradiction {
  const { relation, kind, severity, status } = row
  return {
    known: {
      id: row.contradiction_id,
      group: BigInt(row.group_key),
      fingerprint: BigInt(row.print),
      relation,
      kind,
      severity,
      documentIds: [row.document_a, row.document_b],
      status,
    },
    values: [BigInt(row.value_a), BigInt(row.value_b)],
    sealed: row.sealed,
    a: toShown(row.shown_a, row.no_a, row.version_a, row.claim_a),
    b: toShown(row.shown_b, row.no_b, row.version_b, row.claim_b),
  }
}

function toShown(
  documentId: string | null,
  no: number,
  version: number,
  sealed: Buffer | null,
): ShownClaim | undefined {
  return documentId === null ? undefined : { documentId, no, version, sealed }
}
