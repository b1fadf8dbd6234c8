/** Reads a scope in this process, by the pure functions of the service. */
import type { Finding, PlacedClaim } from '@concord/service/src/domain/finding.ts'
import type { Evidence, Reader, Report, ScopeText } from '../report.ts'
import { describeClaim, explainLoss } from './causes.ts'
import { countPairs, findAll, groupClaims } from './groups.ts'
import { claimsOf, judge } from './reading.ts'

export function createDirectReader(): Reader {
  const total = { documents: 0, words: 0, elapsed: 0 }
  return {
    async read(scope) {
      // Time of the processor, for others may be at work on the machine.
      const started = process.cpuUsage()
      const claims = placeClaims(scope)
      const groups = groupClaims(claims)
      const reports = findAll(groups).map(reportOf)
      const { user, system } = process.cpuUsage(started)
      total.elapsed += (user + system) / 1000
      total.documents += scope.documents.length
      for (const { text } of scope.documents) total.words += text.split(/\s+/).length
      return {
        reports,
        claims: claims.length,
        pairs: countPairs(groups),
        explain: (a, b) => explainLoss({ claims, groups }, a, b),
      }
    },
    pace() {
      const each = total.documents / (total.elapsed / 1000)
      const size = total.words / total.documents
      return `${each.toFixed(0)} documents a second of processor time, of ${size.toFixed(0)} words on average`
    },
    cost: async () => '0 tokens a document',
  }
}

function placeClaims(scope: ScopeText): readonly PlacedClaim[] {
  return scope.documents.flatMap(({ id, text }) =>
    claimsOf(text).map((claim, no): PlacedClaim => ({ documentId: id, version: 1, no, claim })),
  )
}

function reportOf({ relation, kind, rule, severity, confidence, a, b }: Finding): Report {
  return {
    relation,
    kind,
    rule,
    severity,
    confidence,
    score: judge(a.claim, b.claim).score,
    a: evidenceOf(a),
    b: evidenceOf(b),
    detail: [`claim a ${describeClaim(a.claim)}`, `claim b ${describeClaim(b.claim)}`],
  }
}

function evidenceOf({ documentId, claim }: PlacedClaim): Evidence {
  const [start, end] = claim.span
  return { document: documentId, start, end, quote: claim.quote, value: claim.valueSpan }
}
