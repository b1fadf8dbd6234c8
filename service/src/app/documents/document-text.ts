/** Returns a range of the text of one version of a document, decrypted with the key of its scope. */
import type { TenantCaller } from '../../domain/caller.ts'
import { sliceCodePoints } from '../../domain/code-points.ts'
import type { TextRange } from '../../domain/code-points.ts'
import { Fault } from '../../domain/fault.ts'
import { selectDocument, selectSealedText } from '../../store/documents/documents.ts'
import { requireScope } from '../scopes/required-scope.ts'
import { readSealedRows } from '../scopes/sealed-rows.ts'
import type { ScopeReadDeps } from '../scopes/sealed-rows.ts'

export interface TextRequest {
  readonly start: number
  readonly end: number
  readonly version: number | undefined
}

export interface DocumentText extends TextRange {
  readonly version: number
  readonly characters: number
}

/** A removed document has no text, so the answer is the same as for one that never existed. */
export async function getDocumentText(
  deps: ScopeReadDeps,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
  { start, end, version }: TextRequest,
): Promise<DocumentText> {
  const { loaded, seal } = await readSealedRows(deps, who, scopeId, async (transaction) => {
    await requireScope(transaction, scopeId)
    const document = await selectDocument(transaction, scopeId, documentId)
    if (!document || document.status === 'removed') throw new Fault('document_not_found')
    const row = await selectSealedText(transaction, scopeId, documentId, version ?? document.version)
    if (!row) throw new Fault('text_not_found')
    return { loaded: row, epochs: [row.epoch] }
  })
  const text = seal.open('text', documentId, loaded.sealedText).toString('utf8')
  const { characters } = loaded
  return { version: loaded.version, characters, ...sliceCodePoints(text, start, end, characters) }
}
