/**
 * The statements of a comparison on what a judge said and is to be asked. One statement serves several
 * tenants; the database function sets each in turn. Both need the heads of the scopes to be held.
 */
import type { PlacedClaim } from '../../domain/finding.ts'
import type { Verdict } from '../../domain/judge.ts'
import { groupByTenant } from '../scope-questions.ts'
import type { ScopePlace } from '../scope-questions.ts'
import type { PoolConnection } from '../pools.ts'

export interface KnownVerdict {
  readonly verdict: Verdict
  readonly model: string
}

export interface JudgeVerdictQuestion extends ScopePlace {
  /** Written as hex. */
  readonly pairs: readonly string[]
}

/** By pair, for each question. */
export async function readJudgeVerdicts(
  connection: PoolConnection,
  questions: readonly JudgeVerdictQuestion[],
): Promise<ReadonlyMap<string, KnownVerdict>[]> {
  const answers = questions.map(() => new Map<string, KnownVerdict>())
  if (questions.every(({ pairs }) => pairs.length === 0)) return answers
  const { rows } = await connection.query<{ at: number; pair: string; verdict: Verdict; model: string }>({
    name: 'read-judge-verdicts',
    text: 'select at, pair, verdict, model from read_judge_verdicts($1)',
    values: [groupByTenant(questions, ({ pairs }) => ({ pairs }))],
  })
  for (const { at, pair, verdict, model } of rows) answers[at]?.set(pair, { verdict, model })
  return answers
}

export interface RequestNote extends ScopePlace {
  readonly epoch: number
  readonly requests: readonly NewRequest[]
}

type ClaimPlace = Pick<PlacedClaim, 'documentId' | 'version' | 'no'>

export interface NewRequest {
  readonly pair: string
  readonly group: bigint
  readonly a: ClaimPlace
  readonly b: ClaimPlace
}

export async function noteRequests(connection: PoolConnection, notes: readonly RequestNote[]): Promise<void> {
  const groups = groupByTenant(notes, ({ epoch, requests }) => ({
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
    values: [groups],
  })
}
