/**
 * Exports a file that can be verified without the service: the chain of certificates, and the evidence and policies of the
 * last one while they are unchanged. The file is produced in pieces, so its size is not limited by memory.
 */
import type { CertificateBundleRecord } from '@concord/contract'
import type { TenantCaller } from '../../domain/caller.ts'
import type { PolicyEngine } from '../../policy/engine.ts'
import { inTenant } from '../../store/transaction.ts'
import { getCertificate, listCertificates, listEvidence } from './certificates.ts'
import type { IssuedCertificate } from './certificates.ts'
import type { Page, PageRequest } from '../pages.ts'
import type { ScopeReadDeps } from '../scopes/sealed-rows.ts'
import { policiesInForce } from './governance.ts'

export interface ExportDeps extends ScopeReadDeps {
  readonly policyEngine: PolicyEngine
}

const PAGE = 250

export async function* exportCertificates(
  deps: ExportDeps,
  who: TenantCaller,
  scopeId: string,
): AsyncGenerator<string> {
  const latest = await getCertificate(deps, who, scopeId)
  yield `{"format":${JSON.stringify('concord-certificate-bundle/1' satisfies CertificateBundleRecord['format'])},"certificates":`
  yield* inPieces(
    (page) => listCertificates(deps, who, scopeId, page),
    ({ certificate }) => certificate,
  )
  yield ',"evidence":'
  if (latest.current)
    yield* inPieces(
      (page) => listEvidence(deps, who, scopeId, page),
      (leaf) => leaf,
    )
  else yield 'null'
  yield `,"policy":${JSON.stringify(await policyOf(deps, who, scopeId, latest))}}\n`
}

/** Yields a JSON array with one line per entry. */
async function* inPieces<Item>(
  read: (page: PageRequest) => Promise<Page<Item>>,
  toJson: (item: Item) => unknown,
): AsyncGenerator<string> {
  let lead = '['
  let cursor: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const page: Page<Item> = await read({ limit: PAGE, cursor })
    for (const item of page.items) {
      yield `${lead}\n${JSON.stringify(toJson(item))}`
      lead = ','
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  yield lead === '[' ? '[]' : ']'
}

async function policyOf(
  { pools, policyEngine }: ExportDeps,
  { tenantId }: TenantCaller,
  scopeId: string,
  { certificate }: IssuedCertificate,
): Promise<CertificateBundleRecord['policy']> {
  const { hash, texts } = await inTenant(pools.tenant, tenantId, (transaction) =>
    policiesInForce(policyEngine, transaction, scopeId),
  )
  return hash === certificate.policy.hash ? texts : null
}
