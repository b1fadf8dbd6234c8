/** Sets the tags and metadata of a document. */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { saveLabels } from '../../store/documents/document-labels.ts'
import { selectDocument } from '../../store/documents/documents.ts'
import { decryptDocument } from './documents.ts'
import type { DocumentsDeps, DecryptedDocument } from './documents.ts'
import { changeLabels, encodeLabels } from './labels.ts'
import type { LabelsChange } from './labels.ts'
import { inScope } from '../scopes/scope-transaction.ts'

/** The contract limits the tags. The size of the metadata is known only after merging. */
const MAX_METADATA = 20

export async function updateDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  ref: { readonly scopeId: string; readonly documentId: string },
  change: LabelsChange,
): Promise<DecryptedDocument> {
  const { scopeId, documentId } = ref
  return inScope(deps, who, scopeId, async (transaction, _, seal) => {
    const row = await selectDocument(transaction, scopeId, documentId)
    if (!row || row.status === 'removed') throw new Fault('document_not_found')
    const labels = changeLabels(decryptDocument(scopeId, row, seal), change)
    if (labels.metadata.length > MAX_METADATA) throw tooMuchMetadata()
    const { sealed, hashes } = encodeLabels(seal, ref, labels)
    const updatedAt = await saveLabels(transaction, ref, sealed, hashes)
    return decryptDocument(scopeId, { ...row, sealedLabels: sealed, updatedAt }, seal)
  })
}

function tooMuchMetadata(): Fault {
  const message = `Remove names by null; a document has ${MAX_METADATA} at most.`
  return new Fault('validation_failed', { fields: [{ pointer: '#/metadata', code: 'too_big', message }] })
}
