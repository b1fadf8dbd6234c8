/** Summarizes the evidence of a scope for its certificate: the root hash and some counts. */
import type { TenantCaller } from '../../domain/caller.ts'
import { hashLeaf, toHex } from '../../domain/certificate.ts'
import type { Certificate } from '../../domain/certificate.ts'
import { createMerkleTree } from '../../domain/certificate/merkle.ts'
import { createReadingTally } from '../../domain/certificate/reading.ts'
import type { CertifiedTotals } from '../../domain/certificate/reading.ts'
import { sha256 } from '../../platform/signing.ts'
import type { ScopeReadDeps } from '../scopes/sealed-rows.ts'
import { EVIDENCE_START, readEvidence } from './evidence.ts'
import type { EvidencePage, EvidencePosition } from './evidence.ts'

/** Small enough to delay other requests of this process only a little. */
const WALK_PAGE = 250

export interface EvidenceSummary {
  readonly evidence: Certificate['evidence']
  readonly totals: CertifiedTotals
}

/** Computes root, counts and reading totals of all the evidence. The time grows with the scope; memory does not. */
export async function summariseEvidence(
  deps: ScopeReadDeps,
  who: TenantCaller,
  scopeId: string,
): Promise<EvidenceSummary> {
  const tree = createMerkleTree(sha256)
  const tally = createReadingTally()
  const counts = { document: 0, claim: 0, contradiction: 0, decision: 0 }
  let position: EvidencePosition | undefined = EVIDENCE_START
  while (position) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const page: EvidencePage = await readEvidence(deps, who, scopeId, position, WALK_PAGE)
    for (const leaf of page.leaves) {
      tree.add(hashLeaf(sha256, leaf))
      tally.add(leaf)
      counts[leaf.type] += 1
    }
    position = page.next
  }
  const evidence = {
    root: toHex(tree.root()),
    documents: counts.document,
    claims: counts.claim,
    contradictions: counts.contradiction,
    decisions: counts.decision,
  }
  return { evidence, totals: tally.totals() }
}
