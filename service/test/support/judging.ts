/** A court for tests: a tenant that permits the judge, papers that are read from text, and questions answered by hand. */
import {
  completeQuestion,
  findDue,
  permitJudge,
  leaseQuestion,
} from '../../src/app/contradictions/judge-requests.ts'
import type { JudgingDeps } from '../../src/app/contradictions/judge-requests.ts'
import type { JudgeResponse, Question, Verdict } from '../../src/domain/judge.ts'
import type { Finding } from '../../src/domain/finding.ts'
import { createPolicyEngine } from '../../src/policy/engine.ts'
import { readClaims } from '@concord/reader-rules/src/claims.ts'
import { readStructure } from '@concord/reading/src/structure.ts'
import type { Pools } from '../../src/store/pools.ts'
import { openBureau } from './claims.ts'
import type { Bureau, Paper } from './claims.ts'
import { auditor, makeScope, makeTenant } from './people.ts'
import type { TestTenant } from './people.ts'
import { policiesOf } from './policies.ts'

/** Sentences that rules bring together and do not decide on. */
export const BRIDGE = [
  'The bridge inspection found severe corrosion on the north pier.',
  'The bridge inspection found no corrosion worth mentioning on either pier.',
  'The bridge inspection found light corrosion on a pier, as on every pier there.',
] as const
export const HEATING = [
  'The heating of the Marlow warehouse was replaced in 2021.',
  'The heating of the Marlow warehouse dates from 1998 and was never touched.',
] as const

export const readPaper = (documentId: string, ...sentences: readonly string[]): Paper => {
  const text = sentences.join('\n\n')
  return { documentId, claims: readClaims(text, readStructure(text)) }
}

export const engine = createPolicyEngine()

export const PRICE = 1_500

export interface Court {
  readonly tenant: TestTenant
  readonly bureau: Bureau
  readonly deps: JudgingDeps
  /** Scopes that were said to have something new. */
  readonly announced: string[]
  /** Takes all that is due, and answers by hand; tells what was asked. */
  answerAll(answer: (question: Question) => JudgeResponse): Promise<Question[]>
  /** The verdicts: who disagrees with whom, how and by whose word. */
  told(scopeId?: string): Promise<string[]>
}

export async function openCourt(
  api: Pools,
  worker: Pools,
  options: { readonly permitted?: boolean; readonly budget?: number; readonly external?: boolean } = {},
): Promise<Court> {
  const tenant = await makeTenant(api)
  await makeScope(api, tenant, 'default')
  if (options.permitted ?? true) await permitJudge({ pools: api, auditor }, tenant.caller)
  const bureau = openBureau(api, worker, tenant)
  const announced: string[] = []
  const deps: JudgingDeps = {
    pools: worker,
    seals: bureau.seals,
    policies: policiesOf(worker.tenant),
    auditor,
    model: 'made-up',
    external: options.external ?? false,
    budget: options.budget ?? 1_000_000,
    leaseMs: 60_000,
    priceOf: () => PRICE,
    announceEvents: (_, scopeId) => announced.push(scopeId),
  }
  return {
    tenant,
    bureau,
    deps,
    announced,
    async answerAll(answer) {
      const asked: Question[] = []
      const due = (await findDue(deps, 1_000)).filter(({ tenantId }) => tenantId === tenant.tenantId)
      for (const place of due) {
        const taken = await leaseQuestion(deps, place)
        if (typeof taken === 'string') continue
        asked.push(taken.question)
        await completeQuestion(deps, taken, answer(taken.question))
      }
      return asked
    },
    async told(scopeId) {
      return (await bureau.findings(scopeId))
        .map((json): Finding => JSON.parse(json))
        .map(({ a, b, relation, rule, confidence }) =>
          [[a.documentId, b.documentId].toSorted().join('–'), relation, rule, confidence].join(' '),
        )
        .toSorted()
    },
  }
}

export const answered =
  (verdict: Verdict, tokens = 500) =>
  ({ a, b }: Question): JudgeResponse => ({
    kind: 'answered',
    answer: { verdict, quoteA: a.text, quoteB: b.text },
    tokens,
  })
