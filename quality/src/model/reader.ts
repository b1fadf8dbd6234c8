/** Reads scopes with a language model, all at once, so that requests that do not depend on each other are asked together. */
import type { AskModel } from '@concord/service/src/domain/model.ts'
import { isReported } from '@concord/service/src/model/verify.ts'
import type { Evidence, Reader, Report, ScopeReading, ScopeText } from '../report.ts'
import { unitsOf } from '../served/offsets.ts'
import { declineUnanswered, emptyUsage, meter, MissingAnswer } from './asking.ts'
import { readScope } from './pipeline.ts'
import type { PipelineResult, VerifiedPair } from './pipeline.ts'
import type { Fact } from './scope-facts.ts'
import { describeStages } from './scope-stages.ts'

export interface ModelReader extends Reader {
  /** Begins with all scopes. Returns which could not be read, and why, when all have ended. */
  readAhead(scopes: readonly ScopeText[]): Promise<ReadonlyMap<string, MissingAnswer>>
  /**
   * Scopes in which suspected documents were compared beside others, because the answers to requests of their own are not recorded: the request
   * that had none first.
   */
  readonly notIsolated: ReadonlyMap<string, MissingAnswer>
}

export function createModelReader(ask: AskModel, budget: number): ModelReader {
  const readings = new Map<string, Promise<ScopeReading>>()
  const notIsolated = new Map<string, MissingAnswer>()
  async function readOnce(scope: ScopeText, isolates: boolean): Promise<ScopeReading> {
    const usage = emptyUsage()
    const asked = declineUnanswered(meter(ask, usage))
    const result = await readScope(scope, asked.ask, { budget, isolates })
    const stages = describeStages(result, usage, asked.unanswered())
    const claims = result.documents.reduce((sum, document) => sum + document.reading.claims.length, 0)
    return { reports: reportsOf(result), claims, pairs: stages.proposals, explain: stages.explain, stages }
  }
  async function readRecorded(scope: ScopeText): Promise<ScopeReading> {
    try {
      return await readOnce(scope, true)
    } catch (error) {
      if (!(error instanceof MissingAnswer) || error.step === 'extract') throw error
      const reading = await readOnce(scope, false)
      notIsolated.set(scope.name, error)
      return reading
    }
  }
  const read = (scope: ScopeText) => {
    const known = readings.get(scope.name)
    if (known !== undefined) return known
    const reading = readRecorded(scope)
    readings.set(scope.name, reading)
    return reading
  }
  return {
    read,
    notIsolated,
    async readAhead(scopes) {
      const ends = await Promise.allSettled(scopes.map(read))
      const missing = new Map<string, MissingAnswer>()
      for (const [index, end] of ends.entries()) {
        if (end.status === 'fulfilled') continue
        if (!(end.reason instanceof MissingAnswer)) throw end.reason
        missing.set(scopes[index]?.name ?? '', end.reason)
      }
      return missing
    },
    pace: () => `${readings.size} scopes read with a model`,
    cost: async () => 'tokens are told by set',
  }
}

function reportsOf({ pairs }: PipelineResult): Report[] {
  return pairs.flatMap((pair) => toReport(pair) ?? [])
}

function toReport({ a, b, verdict }: VerifiedPair): Report | null {
  if (!isReported(verdict)) return null
  const { verdict: relation, confidence, severity, title, explanation } = verdict
  if (relation === 'compatible' || relation === 'unsure') return null
  return {
    relation,
    kind: a.claim.kind,
    rule: 'model',
    severity,
    confidence,
    score: null,
    a: evidenceOf(a),
    b: evidenceOf(b),
    detail: [title, explanation, ...[a, b].map(({ claim }) => claim.stated?.statement ?? claim.quote)],
  }
}

function evidenceOf({ document, claim }: Fact): Evidence {
  const units = unitsOf(document.text)
  const [start, end] = claim.span
  const value = [units(claim.valueSpan[0]), units(claim.valueSpan[1])] as const
  return { document: document.id, start: units(start), end: units(end), quote: claim.quote, value }
}
