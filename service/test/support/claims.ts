/** Documents with claims, on the whole way through the statements of the service, and what the scope then says. */
import { statement } from '@concord/reading/test/support/claims.ts'
import { createAttempts } from '../../src/app/processing/attempts.ts'
import type { Attempts, CompleteHeavy } from '../../src/app/processing/attempts.ts'
import { sealCard } from '../../src/app/documents/document-card.ts'
import type { OnCompareError } from '../../src/app/comparing/comparison.ts'
import { openClaimJson } from '../../src/app/documents/claim-seals.ts'
import { keyClaims } from '../../src/app/documents/keyed-claims.ts'
import type { ReadClaim, ReadFact } from '../../src/app/documents/keyed-claims.ts'
import { createScopeSeals } from '../../src/app/scopes/scope-seals.ts'
import type { ScopeSeal, ScopeSeals } from '../../src/app/scopes/scope-seals.ts'
import type { AttemptResult } from '../../src/app/processing/completion.ts'
import type { LocatedClaim, StatedClaim } from '../../src/domain/claim.ts'
import type { Finding } from '../../src/domain/finding.ts'
import type { ReadingReport } from '../../src/domain/reading-report.ts'
import { keysOf, valueKeyOf } from '../../src/rules/comparing.ts'
import { acceptDocuments } from '../../src/store/documents/acceptance.ts'
import { startAttempts } from '../../src/store/processing/attempts.ts'
import type { WorkRef } from '../../src/store/processing/attempts.ts'
import { selectClaims } from '../../src/store/documents/claims.ts'
import { selectContradictions } from '../../src/store/contradictions/contradictions.ts'
import type { ContradictionRow } from '../../src/store/contradictions/contradictions.ts'
import type { Pools } from '../../src/store/pools.ts'
import { inTenant } from '../../src/store/transaction.ts'
import { newDocument, processedResult, dispatchAll, wholeReport } from './documents.ts'
import type { MasterKeyBytes } from '../../src/platform/config.ts'
import { auditor, masterKeys } from './people.ts'
import type { TestTenant } from './people.ts'
import { policiesOf } from './policies.ts'

export { statement }

/** One that a model stated is in no group. */
const toRead = (claim: LocatedClaim): ReadClaim => ({
  kind: claim.kind,
  keys: claim.stated ? [] : keysOf(claim),
  valueKey: claim.stated ? '' : valueKeyOf(claim),
  json: Buffer.from(JSON.stringify(claim)),
  ...(claim.stated && { fact: factOf(claim.stated) }),
})

function factOf({ statement: text, modality }: StatedClaim): ReadFact {
  const words = text.toLowerCase().match(/\w+/g) ?? []
  return { key: `${modality}: ${text.toLowerCase()}`, words, tokens: Math.ceil(text.length / 4) }
}

export interface Paper {
  readonly documentId: string
  readonly claims: readonly LocatedClaim[]
  /** Where its reading report is another than that of a text which rules have read to its end. */
  readonly report?: Partial<ReadingReport>
}

export interface Bureau {
  readonly attempts: Attempts
  readonly seals: ScopeSeals
  /** Accepted, released and claimed; what is left is to settle it. */
  begin(papers: readonly Paper[], scopeId?: string): Promise<AttemptResult[]>
  process(papers: readonly Paper[], scopeId?: string): Promise<string[]>
  /** Attempts what is queued already; each document is read as its paper says, and what has no paper is left. */
  processQueued(papers: readonly Paper[]): Promise<string[]>
  /** The findings in JSON without what differs from scope to scope, sorted. */
  findings(scopeId?: string): Promise<string[]>
  rows(scopeId?: string): Promise<ContradictionRow[]>
  claims(scopeId?: string): Promise<string[]>
}

const textOf = (edition: number): string => `edition ${edition}`

const rethrow: OnCompareError = (error) => {
  throw error
}

function sealedParts(seal: ScopeSeal, documentId: string, text: string) {
  const card = { name: `Name of ${documentId}`, source: null, provenance: null }
  return {
    documentId,
    epoch: seal.epoch,
    sealedCard: sealCard(seal, documentId, card),
    sealedLayout: null,
    sealedText: seal.seal('text', documentId, Buffer.from(text)),
  }
}

export function openBureau(
  api: Pools,
  worker: Pools,
  tenant: TestTenant,
  onCompareError = rethrow,
  completeHeavy?: CompleteHeavy,
  keys: readonly MasterKeyBytes[] = masterKeys,
): Bureau {
  const seals = createScopeSeals({ pool: worker.tenant, masterKeys: keys })
  const attempts = createAttempts({
    pool: worker.tenant,
    policies: policiesOf(worker.tenant),
    auditor,
    maxStarts: 5,
    onCompareError,
    ...(completeHeavy && { completeHeavy }),
  })
  let edition = 0

  async function resultOf(place: WorkRef, version: number, paper: Paper): Promise<AttemptResult> {
    const { documentId, claims } = paper
    const seal = await seals.get(place.tenantId, place.scopeId)
    const content = { claims: await keyClaims(seal, { documentId, version }, claims.map(toRead)), seal }
    const report = { ...wholeReport(textOf(edition).length, claims.length), ...paper.report }
    return { ...processedResult(place, 1, 'a reading', report), content }
  }

  async function begin(papers: readonly Paper[], scopeId = 'default'): Promise<AttemptResult[]> {
    edition += 1
    const seal = await seals.get(tenant.tenantId, scopeId)
    const text = textOf(edition)
    const documents = papers.map(({ documentId }) =>
      newDocument(tenant, { scopeId, text, ...sealedParts(seal, documentId, text) }),
    )
    await acceptDocuments(api.tenant, documents)
    return take(papers)
  }

  async function take(papers: readonly Paper[]): Promise<AttemptResult[]> {
    const places = await dispatchAll(worker, tenant)
    const answers = await startAttempts(worker.tenant, places, 5)
    const byId = new Map(papers.map((paper) => [paper.documentId, paper]))
    const results = places.flatMap((place, index) => {
      const [paper, answer] = [byId.get(place.documentId), answers[index]]
      return paper && answer?.outcome === 'claimed' ? [resultOf(place, answer.document.version, paper)] : []
    })
    return Promise.all(results)
  }

  const settleAll = (results: readonly AttemptResult[]) =>
    Promise.all(results.map((result) => attempts.complete(result)))

  const rows = (scopeId = 'default') =>
    inTenant(api.tenant, tenant.tenantId, (own) => selectContradictions(own, scopeId, {}, 10_000))

  return {
    attempts,
    seals,
    begin,
    rows,
    process: async (papers, scopeId) => settleAll(await begin(papers, scopeId)),
    processQueued: async (papers) => settleAll(await take(papers)),
    async findings(scopeId = 'default') {
      const seal = await seals.get(tenant.tenantId, scopeId)
      const found = await rows(scopeId)
      return found
        .map(({ contradictionId, sealed }) => String(seal.open('contradiction', contradictionId, sealed)))
        .toSorted()
    },
    async claims(scopeId = 'default') {
      const seal = await seals.get(tenant.tenantId, scopeId)
      const found = await inTenant(api.tenant, tenant.tenantId, (own) =>
        selectClaims(own, scopeId, {}, 10_000),
      )
      return found.map(
        (claim) => `${claim.documentId} ${claim.no} ${openClaimJson(seal, claim).toString('utf8')}`,
      )
    },
  }
}

/** The pairs that disagree, as `document value – document value`. */
export function pairsOf(findings: readonly string[]): string[] {
  return findings
    .map((json): Finding => JSON.parse(json))
    .map(({ a, b }) =>
      [a, b]
        .map(({ documentId, claim }) => `${documentId} ${claim.valueText}`)
        .toSorted()
        .join(' – '),
    )
    .toSorted()
}
