/** Selects the last decisions about contradictions for a comparison. The caller must hold the locks of the scopes' heads. */
import type { DecidedBy } from './decisions.ts'
import type { PoolConnection } from '../pools.ts'
import { at, groupByTenant } from '../scope-batches.ts'
import type { ScopeRef } from '../scope-batches.ts'

export interface VerdictRequest extends ScopeRef {
  readonly contradictionIds: readonly string[]
}

/** The last decision about a contradiction. */
export interface StoredVerdict {
  readonly result: 'resolved' | 'dismissed' | 'reopened'
  readonly decidedBy: DecidedBy
  /** The rank of the upheld value; null if none was upheld, or for a report. */
  readonly upheld: bigint | null
  /** The documents that contradicted the upheld value at that time. */
  readonly against: readonly string[]
  /** The hash of the evaluated policy set, in hexadecimal; null if no policy decided. */
  readonly policyHash: string | null
  /** The policies that decided; empty if none did. */
  readonly policies: readonly string[]
  /** The documents of the contradiction at the time of the decision. */
  readonly documentIds: readonly string[]
}

export interface StoredVerdicts {
  /** By the id of the contradiction. Contradictions without a decision are missing. */
  readonly of: Map<string, StoredVerdict>
  /** The number of policy changes of the tenant; 0 for an empty request. */
  policyChanges: number
}

interface VerdictColumns {
  readonly at: number
  readonly row_kind: 'decision' | 'policy_changes'
  readonly contradiction_id: string
  readonly result: StoredVerdict['result']
  readonly upheld: string | null
  readonly against: string[]
  readonly decided_by: DecidedBy
  readonly policy_hash: Buffer | null
  readonly policies: string[]
  readonly policy_changes: number
  readonly document_ids: string[]
}

export async function readVerdicts(
  connection: PoolConnection,
  requests: readonly VerdictRequest[],
): Promise<StoredVerdicts[]> {
  const verdicts = requests.map((): StoredVerdicts => ({ of: new Map(), policyChanges: 0 }))
  if (requests.every(({ contradictionIds }) => contradictionIds.length === 0)) return verdicts
  const { rows } = await connection.query<VerdictColumns>({
    name: 'read-verdicts-by-kind',
    text: `select at, row_kind, contradiction_id, result, upheld, against, decided_by, policy_hash, policies, policy_changes, document_ids
             from read_verdicts($1)`,
    values: [groupByTenant(requests, ({ contradictionIds }) => ({ ids: contradictionIds }))],
  })
  for (const row of rows) {
    const answer = at(verdicts, row.at)
    if (row.row_kind === 'policy_changes') answer.policyChanges = row.policy_changes
    else answer.of.set(row.contradiction_id, toVerdict(row))
  }
  return verdicts
}

function toVerdict({ result, upheld, against, policies, ...row }: VerdictColumns): StoredVerdict {
  return {
    result,
    decidedBy: row.decided_by,
    upheld: upheld === null ? null : BigInt(upheld),
    against,
    policyHash: row.policy_hash?.toString('hex') ?? null,
    policies,
    documentIds: row.document_ids,
  }
}
