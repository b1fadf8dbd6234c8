/** Made report data: as many contradictions as are asked for, with the words that a test wants in them. */
import type { Contradiction, ContradictionSide, Document } from '../../src/index.ts'
import { arrangeReport } from '../../report/index.ts'
import type { ReportData } from '../../report/index.ts'

const DAY = '2026-03-01T09:00:00.000Z'

export function makeSide(
  source: string,
  amount: number,
  words: Partial<ContradictionSide> = {},
): ContradictionSide {
  const text = `EUR ${amount.toLocaleString('en-US')}`
  return {
    source,
    document_id: source.toLowerCase(),
    version: 1,
    claim_id: null,
    quote: `The annual rent of the harbour office is ${text}, payable in advance.`,
    start: 120,
    end: 190,
    location: null,
    value: {
      kind: 'money',
      text,
      low: amount,
      high: amount,
      unit: 'EUR',
      approximate: false,
      bound: null,
      first_day: null,
      last_day: null,
      word: null,
      family: null,
      exists: null,
    },
    asserted_at: '2026-02-01',
    ...words,
  }
}

export function makeContradiction(no: number, words: Partial<Contradiction> = {}): Contradiction {
  return {
    contradiction_id: `${String(no).padStart(8, '0')}-0000-4000-8000-000000000000`,
    scope_id: 'harbour',
    status: 'open',
    relation: 'conflict',
    kind: 'money',
    title: null,
    entity: `Harbour office ${no}`,
    attribute: 'annual rent',
    period: '2026',
    severity: 'high',
    confidence: 0.91,
    internal: false,
    a: makeSide('Lease.pdf', 185_000),
    b: makeSide('Memo.docx', 192_500),
    difference: null,
    explanation: 'Both say what the annual rent is, and the amounts differ by EUR 7,500 (3.9 %).',
    further: 0,
    note: null,
    decided_by: 'money-1',
    opened_at: DAY,
    updated_at: DAY,
    resolution: null,
    ...words,
  }
}

export function makeDocument(name: string, words: Partial<Document> = {}): Document {
  return {
    scope_id: 'harbour',
    document_id: name.toLowerCase(),
    name,
    type: 'text',
    source: null,
    provenance: null,
    unread: [],
    unread_total: 0,
    tags: [],
    metadata: {},
    version: 1,
    status: 'registered',
    stage: null,
    attempt: 0,
    error: null,
    hold: null,
    reading: null,
    waiting_for: null,
    waiting_reason: null,
    created_at: DAY,
    updated_at: DAY,
    ...words,
  }
}

export function makeReport(
  contradictions: readonly Contradiction[],
  { name = 'Harbour lease', ...words }: Partial<ReportData> & { readonly name?: string } = {},
): ReportData {
  const counts = { low: 0, medium: 0, high: contradictions.length, critical: 0 }
  const parts = { agreement: 0.8, coverage: 0.9, stability: 1 }
  const glance = { score: 0.62, state: 'contested', parts, claims: 40, claims_compared: 31 }
  const kept = { comparisons_pending: 0, blockers: [], blockers_total: 0 }
  const summary = {
    scope_id: 'harbour',
    display_name: name,
    epoch: 0,
    created_at: DAY,
    documents: {},
    claims: { total: 40 },
    reading: { characters: 48_000, characters_read: 47_100, claims: 40, claims_compared: 31 },
    contradictions: {
      total: contradictions.length,
      by_status: { open: contradictions.length, resolved: 0, dismissed: 0 },
      by_severity: counts,
    },
  }
  const points = [0.4, 0.55, 0.5, 0.7, 0.62].map((score, day) => ({ at: `2026-02-0${day + 1}`, score }))
  const convergence = { scope_id: 'harbour', ...glance, ...kept, seq: 9, points, trend: 'improving' }
  const read = {
    generated_at: DAY,
    summary,
    convergence,
    contradictions,
    decisions: [],
    documents: [],
    ...words,
  } as unknown as ReportData
  return arrangeReport(read)
}
