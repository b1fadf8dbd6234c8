/** The work of the steps of the model reader on a scope, asked by places in its texts. */
import { createCandidateIndex } from '@concord/service/src/model/candidates.ts'
import { factKeyOf } from '@concord/service/src/model/facts.ts'
import { isReported } from '@concord/service/src/model/verify.ts'
import type { Cause, ReportPlace, ScopeStages, Usage } from '../report.ts'
import { unitsOf } from '../served/offsets.ts'
import type { PipelineResult, VerifiedPair } from './pipeline.ts'
import type { Fact, ReadDocument } from './scope-facts.ts'

export function describeStages(result: PipelineResult, usage: Usage, unanswered: number): ScopeStages {
  const { documents, pairs, dropped, declined } = result
  const facts = result.facts.flatMap(({ fresh }) => fresh)
  const factsAt = createFactSearch(result)
  const isAmongBest = rankLikeTheService(facts)
  const isCandidate = (a: readonly ReportPlace[], b: readonly ReportPlace[], limit: number) =>
    factsAt(a).some((one) => factsAt(b).some((other) => isAmongBest(one, other, limit)))
  return {
    usage,
    words: documents.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0),
    quotesDropped: documents.reduce((sum, { reading }) => sum + reading.report.quotesDropped, 0),
    unread: documents.reduce(
      (sum, { reading: { report } }) => sum + report.passages - report.passagesRead,
      0,
    ),
    proposals: pairs.length,
    dropped,
    declined,
    unanswered,
    kept: pairs.filter(({ verdict }) => isReported(verdict)).length,
    hasClaim: (places) => factsAt(places).length > 0,
    isCandidate,
    explain: (a, b) => explainLoss(pairs, factsAt(a), factsAt(b)),
  }
}

type IsAmongBest = (one: Fact, other: Fact, limit: number) => boolean

/** Whether the earlier of two facts is among the best for the later one, in the ranking of the database and the scope as a whole. */
function rankLikeTheService(facts: readonly Fact[]): IsAmongBest {
  const index = createCandidateIndex(facts)
  return (one, other, limit) => {
    const [earlier, later] = one.position < other.position ? [one, other] : [other, one]
    return index.find(later, limit).includes(earlier)
  }
}

/** The facts of which a claim shares characters with one of the places. */
function createFactSearch({ documents, facts }: PipelineResult): (places: readonly ReportPlace[]) => Fact[] {
  const fresh = facts.flatMap((own) => own.fresh)
  const byKey = new Map(fresh.map((fact) => [factKeyOf(fact.claim, fact.document.id), fact]))
  const placed = documents.flatMap((document) => placeClaims(document, byKey))
  return (places) => {
    const found = placed.filter(({ place }) =>
      places.some(
        ({ document, start, end }) => document === place.document && start < place.end && place.start < end,
      ),
    )
    return [...new Set(found.map(({ fact }) => fact))]
  }
}

function placeClaims(
  { id, text, reading }: ReadDocument,
  byKey: ReadonlyMap<string, Fact>,
): { readonly place: ReportPlace; readonly fact: Fact }[] {
  const units = unitsOf(text)
  return reading.claims.flatMap((claim) => {
    const fact = byKey.get(factKeyOf(claim, id))
    const place = { document: id, start: units(claim.span[0]), end: units(claim.span[1]) }
    return fact === undefined ? [] : [{ place, fact }]
  })
}

function explainLoss(pairs: readonly VerifiedPair[], left: readonly Fact[], right: readonly Fact[]): Cause {
  const detail = [...describe('a', left), ...describe('b', right)]
  if (left.length === 0 || right.length === 0) {
    const side = left.length > 0 ? 'b' : right.length > 0 ? 'a' : 'a and b'
    return { cause: `extract: no claim on side ${side}`, detail }
  }
  const [lefts, rights] = [idsOf(left), idsOf(right)]
  const pair = pairs.find(
    ({ a, b }) => (lefts.has(a.id) && rights.has(b.id)) || (lefts.has(b.id) && rights.has(a.id)),
  )
  if (pair === undefined) return { cause: 'compare: not proposed', detail }
  const { verdict } = pair
  const told = `verify: ${verdict.verdict} ${verdict.confidence.toFixed(2)}: ${verdict.title}: ${verdict.explanation}`
  if (isReported(verdict))
    return { cause: 'reported, and counted for another label', detail: [...detail, told] }
  const isUnsure = verdict.verdict === 'compatible' || verdict.verdict === 'unsure'
  const cause = isUnsure ? `verify: ${verdict.verdict}` : 'verify: below the confidence to report'
  return { cause, detail: [...detail, told] }
}

function idsOf(facts: readonly Fact[]): ReadonlySet<string> {
  return new Set(facts.map(({ id }) => id))
}

function describe(side: string, facts: readonly Fact[]): string[] {
  return facts.map(({ id, claim }) => `claim ${side} ${id}: ${claim.stated?.statement ?? claim.quote}`)
}
