/**
 * The statements by which a comparison reads verdicts of the judge and records requests for it. One statement serves several tenants; the
 * database function sets each tenant in turn. The caller must hold the locks of the scopes' heads.
 */
import type { PlacedClaim } from '../../domain/finding.ts'
import type { Verdict } from '../../domain/judge.ts'
import { groupByTenant } from '../scope-batches.ts'
import type { ScopeRef } from '../scope-batches.ts'
import type { PoolConnection } from '../pools.ts'

export interface KnownVerdict {
  readonly verdict: Verdict
  readonly model: string
}

export interface JudgeVerdictRequest extends ScopeRef {
  /** In hexadecimal. */
  readonly pairs: readonly string[]
}

/** Returns the known verdicts by pair, one map for each request. */
export async function readJudgeVerdicts(
  connection: PoolConnection,
  requests: readonly JudgeVerdictRequest[],
): Promise<ReadonlyMap<string, KnownVerdict>[]> {
  const answers = requests.map(() => new Map<string, KnownVerdict>())
  if (requests.every(({ pairs }) => pairs.length === 0)) return answers
  const { rows } = await connection.query<{ at: number; pair: string; verdict: Verdict; model: string }>({
    name: 'read-judge-verdicts',
    text: 'select at, pair, verdict, model from read_judge_verdicts($1)',
    values: [groupByTenant(requests, ({ pairs }) => ({ pairs }))],
  })
  for (const { at, pair, verdict, model } of rows) answers[at]?.set(pair, { verdict, model })
  return answers
}

export interface ScopeRequests extends ScopeRef {
  readonly epoch: number
  readonly requests: readonly NewRequest[]
}

type ClaimRef = Pick<PlacedClaim, 'documentId' | 'version' | 'no'>

export interface NewRequest {
  readonly pair: string
  readonly group: bigint
  readonly a: ClaimRef
  readonly b: ClaimRef
}

export async function recordRequests(
  connection: PoolConnection,
  scopes: readonly ScopeRequests[],
): Promise<void> {
  const batch = groupByTenant(scopes, ({ epoch, requests }) => ({
    epoch,
    requests: requests.map(({ pair, group, a, b }) => ({
      pair,
      group_key: String(group),
      document_a: a.documentId,
      no_a: a.no,
      version_a: a.version,
      document_b: b.documentId,
      no_b: b.no,
      version_b: b.version,
    })),
  }))
  await connection.query({
    name: 'note-judge-requests',
    text: 'select record_judge_requests($1)',
    values: [batch],
  })
}
