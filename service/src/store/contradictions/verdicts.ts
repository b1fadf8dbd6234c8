/** Selects decisions about contradictions, for those who compare: needs the heads of the scopes to be held. */
import type { DecidedBy } from './decisions.ts'
import type { PoolConnection } from '../pools.ts'
import { at, groupByTenant } from '../scope-questions.ts'
import type { ScopePlace } from '../scope-questions.ts'

export interface VerdictQuestion extends ScopePlace {
  readonly contradictionIds: readonly string[]
}

/** The last decision about a contradiction. */
export interface StoredVerdict {
  readonly result: 'resolved' | 'dismissed' | 'reopened'
  readonly decidedBy: DecidedBy
  /** Rank of the value that was upheld; null where none was, or where it was reported. */
  readonly upheld: bigint | null
  /** The documents that contradicted it then. */
  readonly against: readonly string[]
  /** The hash of the set that was asked, in hexadecimal, and those of it that decided; null and none where a policy did not decide. */
  readonly policyHash: string | null
  readonly policies: readonly string[]
  /** The documents that it named when it was decided. */
  readonly documentIds: readonly string[]
}

export interface StoredVerdicts {
  /** By the id of the contradiction; those of which nothing was decided are left out. */
  readonly of: Map<string, StoredVerdict>
  /** How often the policies of the tenant were changed; 0 where nothing was asked. */
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
  questions: readonly VerdictQuestion[],
): Promise<StoredVerdicts[]> {
  const verdicts = questions.map((): StoredVerdicts => ({ of: new Map(), policyChanges: 0 }))
  if (questions.every(({ contradictionIds }) => contradictionIds.length === 0)) return verdicts
  const { rows } = await connection.query<VerdictColumns>({
    name: 'read-verdicts-by-kind',
    text: `select at, row_kind, contradiction_id, result, upheld, against, decided_by, policy_hash, policies, policy_changes, document_ids
             from read_verdicts($1)`,
    values: [groupByTenant(questions, ({ contradictionIds }) => ({ ids: contradictionIds }))],
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
