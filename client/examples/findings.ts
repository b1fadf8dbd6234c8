/** Shows claims, and where they disagree. */
import type { Concord } from '@concord/client'

export async function listClaims(concord: Concord): Promise<void> {
  for await (const claim of concord.listClaims.all({ scopeId: 'first-case', document_id: 'report-2025' })) {
    console.log(claim.entity, claim.attribute, claim.quote)
  }
}

export async function searchClaims(concord: Concord): Promise<void> {
  const query = { scopeId: 'first-case', q: 'revenue', period: '2025' }
  for await (const claim of concord.listClaims.all(query)) console.log(claim.document_id, claim.quote)
}

export async function listContradictions(concord: Concord): Promise<void> {
  for await (const { severity, a, b } of concord.listContradictions.all({
    scopeId: 'first-case',
    status: 'open',
    order: 'severity',
  })) {
    console.log(severity)
    console.log(`  ${a.source}: ${a.quote}`)
    console.log(`  ${b.source}: ${b.quote}`)
  }
}

export async function getContradiction(concord: Concord): Promise<void> {
  for await (const { contradiction_id } of concord.listContradictions.all({ scopeId: 'first-case' })) {
    const { explanation } = await concord.getContradiction({
      scopeId: 'first-case',
      contradictionId: contradiction_id,
    })
    console.log(explanation)
  }
}

export async function all(concord: Concord): Promise<void> {
  for await (const document of concord.listDocuments.all({ scopeId: 'first-case' })) {
    console.log(document.document_id, document.status)
  }
}

export async function raw(concord: Concord): Promise<void> {
  const place = { scopeId: 'first-case', documentId: 'report-2025' }
  const first = await concord.getDocument.raw(place)
  const etag = first.headers.get('etag') ?? ''
  const second = await concord.getDocument.raw(place, { headers: { 'If-None-Match': etag } })
  console.log(second.status === 304 ? 'nothing new' : second.body?.status)
}

export async function reportContradiction(concord: Concord): Promise<void> {
  const { contradiction_id, status } = await concord.reportContradiction({
    scope_id: 'first-case',
    claim_a: 'The plant opened in March 2024.',
    source_a: 'Site visit',
    claim_b: 'The plant opened in May 2024.',
    source_b: 'report-2025',
    severity: 'medium',
  })
  console.log(contradiction_id, status)
}

export async function resolveContradiction(concord: Concord): Promise<void> {
  for await (const { contradiction_id } of concord.listContradictions.all({ scopeId: 'first-case' })) {
    const { status } = await concord.resolveContradiction({
      scopeId: 'first-case',
      contradictionId: contradiction_id,
      outcome: 'resolved',
      holds: 'a',
      by: 'Ada Quist',
      reason: 'The report was corrected after the memo.',
    })
    console.log(status)
  }
}

export async function listDecisions(concord: Concord): Promise<void> {
  for await (const { result, decided_by } of concord.listDecisions.all({ scopeId: 'first-case' })) {
    console.log(result, decided_by)
  }
}
