import { maxTextRange, operations } from '@concord/contract'
import { getDocumentText as get } from '../../app/documents/document-text.ts'
import type { ScopeReadDeps } from '../../app/scopes/sealed-rows.ts'
import { Fault } from '../../domain/fault.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getDocumentText(deps: ScopeReadDeps): Route {
  return tenantRoute(operations.getDocumentText, async ({ who, params, query }) => {
    const { scopeId, documentId } = params
    const { start = 0, end = start + maxTextRange, version } = query
    if (end < start || end - start > maxTextRange) throw outOfRange()
    const { text, ...range } = await get(deps, who, scopeId, documentId, { start, end, version })
    return { status: 200, body: { scope_id: scopeId, document_id: documentId, ...range, text } }
  })
}

function outOfRange(): Fault {
  const message = `Send an end from start to start + ${maxTextRange}; ask for more in further requests.`
  return new Fault('validation_failed', {
    fields: [{ pointer: 'query#/end', code: 'out_of_range', message }],
  })
}
