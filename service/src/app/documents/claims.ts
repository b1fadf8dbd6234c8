/**
 * Lists the claims of the documents of a scope. Claims are encrypted, so a search decrypts them: a bounded number per request, so
 * that it holds the thread and the connection only briefly.
 */
import { createHash } from 'node:crypto'
import type { TenantCaller } from '../../domain/caller.ts'
import type { LocatedClaim, ClaimKind } from '../../domain/claim.ts'
import { createClaimMatcher } from '../../domain/claim-search.ts'
import type { ClaimSearch } from '../../domain/claim-search.ts'
import { Fault } from '../../domain/fault.ts'
import { selectClaims } from '../../store/documents/claims.ts'
import type { ClaimRow } from '../../store/documents/claims.ts'
import { selectDocument } from '../../store/documents/documents.ts'
import { openClaim } from './claim-seals.ts'
import { decodeCursor, encodeCursor, toPage } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import { DOCUMENT_ID, ORDINAL } from '../patterns.ts'
import { requireScope } from '../scopes/required-scope.ts'
import { readSealedRows } from '../scopes/sealed-rows.ts'
import type { ScopeReadDeps } from '../scopes/sealed-rows.ts'

export type ClaimsDeps = ScopeReadDeps

export interface FoundClaim {
  readonly claimId: string
  readonly documentId: string
  readonly version: number
  /** The claim, with offsets in code points. */
  readonly claim: LocatedClaim
  readonly extractedAt: Date
}

export interface ClaimsRequest extends PageRequest, ClaimSearch {
  readonly documentId: string | undefined
  readonly kind: ClaimKind | undefined
}

/** The maximum number of claims that a search decrypts in a request. */
const MAX_OPENED = 1_000

export async function listClaims(
  deps: ClaimsDeps,
  who: TenantCaller,
  scopeId: string,
  { limit, cursor, documentId, kind, ...search }: ClaimsRequest,
): Promise<Page<FoundClaim>> {
  const [afterDocument, afterNo] = decodeCursor(cursor, [DOCUMENT_ID, ORDINAL]) ?? []
  const after = afterDocument === undefined ? undefined : { documentId: afterDocument, no: Number(afterNo) }
  const matches = createClaimMatcher(search)
  const wanted = matches ? MAX_OPENED : limit + 1
  const { loaded, seal } = await readSealedRows(deps, who, scopeId, async (transaction) => {
    await requireScope(transaction, scopeId)
    if (documentId !== undefined && !(await selectDocument(transaction, scopeId, documentId)))
      throw new Fault('document_not_found')
    const rows = await selectClaims(transaction, scopeId, { documentId, kind, after }, wanted)
    return { loaded: rows, epochs: rows.map(({ epoch }) => epoch) }
  })
  const open = (row: ClaimRow): FoundClaim => ({
    claimId: claimIdOf(who.tenantId, scopeId, row),
    documentId: row.documentId,
    version: row.version,
    claim: openClaim(seal, row),
    extractedAt: row.extractedAt,
  })
  if (!matches) return toPage(loaded, limit, open, positionOf)
  const found: FoundClaim[] = []
  for (const row of loaded) {
    const claim = open(row)
    if (!matches(claim.claim)) continue
    found.push(claim)
    if (found.length === limit)
      return {
        items: found,
        nextCursor: row === loaded.at(-1) && loaded.length < wanted ? null : encodeCursor(positionOf(row)),
      }
  }
  const last = loaded.length === wanted ? loaded.at(-1) : undefined
  return { items: found, nextCursor: last ? encodeCursor(positionOf(last)) : null }
}

function positionOf({ documentId, no }: ClaimRow): string[] {
  return [documentId, String(no)]
}

export interface ClaimName {
  readonly epoch: number
  readonly documentId: string
  readonly version: number
  readonly no: number
}

/** Derives the id of a claim from its position, so a claim always has the same id and the id need not be stored. */
export function claimIdOf(
  tenantId: string,
  scopeId: string,
  { epoch, documentId, version, no }: ClaimName,
): string {
  const name = JSON.stringify(['claim', tenantId, scopeId, epoch, documentId, version, no])
  const hex = createHash('sha256').update(name).digest('hex')
  // UUID version 8 of RFC 9562: derived neither from time nor from random bits.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
