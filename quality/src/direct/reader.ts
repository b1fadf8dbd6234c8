/** Reads a scope in this process, by the pure functions of the service. */
import type { Finding, PlacedClaim } from '@concord/service/src/domain/finding.ts'
import type { Evidence, Reader, Report, ScopeText } from '../report.ts'
import { describeClaim, explainLoss } from './causes.ts'
import { countPairs, findAll, groupClaims } from './groups.ts'
import { claimsOf } from './reading.ts'

export function createDirectReader(): Reader {
  return {
    async read(scope) {
      const claims = placeClaims(scope)
      const groups = groupClaims(claims)
      return {
        reports: findAll(groups).map(reportOf),
        claims: claims.length,
        pairs: countPairs(groups),
        explain: (a, b) => explainLoss({ claims, groups }, a, b),
      }
    },
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
    a: evidenceOf(a),
    b: evidenceOf(b),
    detail: [`claim a ${describeClaim(a.claim)}`, `claim b ${describeClaim(b.claim)}`],
  }
}

function evidenceOf({ documentId, claim }: PlacedClaim): Evidence {
  const [start, end] = claim.span
  return { document: documentId, start, end, quote: claim.quote, value: claim.valueSpan }
}
