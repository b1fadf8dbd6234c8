/** Documents in, and where they stand. */
import { isProblem } from '@concord/client'
import type { Concord } from '@concord/client'

export async function ingestDocument(concord: Concord): Promise<void> {
  const { document_id, seq } = await concord.ingestDocument({
    scope_id: 'first-case',
    document_id: 'audit-2025',
    name: 'Auditor’s letter',
    text: 'Borealis Ltd had revenue of EUR 12.4m in 2025.',
  })
  console.log(`${document_id} is stored, at ${seq} in the log`)
}

export async function ingestBatch(concord: Concord): Promise<void> {
  const { results } = await concord.ingestBatch({
    documents: [
      { scope_id: 'first-case', name: 'Minutes, page 1', text: 'The board met on 3 May 2025.' },
      { scope_id: 'first-case', name: 'Minutes, page 2', text: 'The board met on 4 May 2025.' },
    ],
  })
  for (const result of results) {
    if (result.accepted) console.log(result.document.document_id)
    else console.log(result.problem.code)
  }
}

export async function ingestFile(concord: Concord): Promise<void> {
  const { document_id, type, characters, unread } = await concord.ingestFile({
    scopeId: 'first-case',
    name: 'sites.csv',
    tags: ['sites'],
    metadata: { matter: '7/2025' },
    file: new TextEncoder().encode('Site,Employees\nLund,240\nYork,120'),
  })
  console.log(`${document_id} is a ${type} of ${characters} characters, ${unread.length} parts unread`)
}

export async function registerDocument(concord: Concord): Promise<void> {
  const { document_id, status } = await concord.registerDocument({
    scope_id: 'first-case',
    name: 'Annual report 2024',
    provenance: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  console.log(document_id, status)
}

export async function attachDocument(concord: Concord): Promise<void> {
  const { status } = await concord.attachDocument({
    scopeId: 'first-case',
    name: 'Side letter',
    text: 'The purchase price is EUR 40m.',
  })
  console.log(status)
}

export async function triggerIngest(concord: Concord): Promise<void> {
  const { queued, last_seq } = await concord.triggerIngest({ scopeId: 'first-case' })
  console.log(queued, last_seq)
}

export async function listDocuments(concord: Concord): Promise<void> {
  const query = { scopeId: 'first-case', status: ['failed', 'held'], order: 'updated_desc' } as const
  for await (const document of concord.listDocuments.all(query)) {
    console.log(document.document_id, document.error?.message ?? document.hold?.reason)
  }
}

export async function listUnread(concord: Concord): Promise<void> {
  for await (const { document_id, reading } of concord.listDocuments.all({ scopeId: 'first-case' })) {
    if (reading === null || reading.read === 'whole') continue
    console.log(document_id, reading.read, reading.unread)
  }
}

export async function getDocument(concord: Concord): Promise<void> {
  const { status, reading, versions } = await concord.getDocument({
    scopeId: 'first-case',
    documentId: 'report-2025',
  })
  console.log(status, reading?.characters_read, reading?.characters, versions.length)
}

export async function updateDocument(concord: Concord): Promise<void> {
  const { tags, metadata } = await concord.updateDocument({
    scopeId: 'first-case',
    documentId: 'report-2025',
    tags: ['report', '2025'],
    metadata: { counterparty: 'Borealis Ltd', draft: null },
  })
  console.log(tags, metadata)
}

export async function removeDocument(concord: Concord): Promise<void> {
  const { removed } = await concord.removeDocument({ scopeId: 'first-case', documentId: 'report-2025' })
  console.log(removed.versions)
}

export async function retryDocument(concord: Concord): Promise<void> {
  try {
    const { seq } = await concord.retryDocument({ scopeId: 'first-case', documentId: 'report-2025' })
    console.log(`queued again, at ${seq} in the log`)
  } catch (error) {
    if (!isProblem(error, 'illegal_transition')) throw error
    console.log('it has not failed, so there is nothing to try again')
  }
}

export async function removeDocuments(concord: Concord): Promise<void> {
  const { removed, results } = await concord.removeDocuments({
    scopeId: 'first-case',
    document_ids: ['report-2024', 'report-2025'],
  })
  console.log(removed, results)
}

export async function retryDocuments(concord: Concord): Promise<void> {
  let after: string | null | undefined
  while (after !== null) {
    const answer = await concord.retryDocuments({
      scopeId: 'first-case',
      status: 'failed',
      ...(after && { after }),
    })
    console.log(`${answer.queued} queued again`)
    after = answer.next_after
  }
}

export async function rereadScope(concord: Concord): Promise<void> {
  const { state } = await concord.rereadScope({ scopeId: 'first-case', read_by: 'rules' })
  console.log(state)
}

export async function getReread(concord: Concord): Promise<void> {
  const { state, documents_read, documents_queued } = await concord.getReread({ scopeId: 'first-case' })
  console.log(state, `${documents_read} of ${documents_queued}`)
}

export async function waitFor(concord: Concord): Promise<void> {
  const document = await concord.waitFor({ scopeId: 'first-case', documentId: 'report-2025' })
  console.log(document.version, document.status)
}

export async function ingestAndWait(concord: Concord): Promise<void> {
  const document = await concord.ingestAndWait(
    { scope_id: 'first-case', name: 'Press release', text: 'Borealis Ltd had 240 employees in 2025.' },
    { timeoutMs: 60_000 },
  )
  console.log(document.document_id, document.status)
}

export async function getDocumentText(concord: Concord): Promise<void> {
  const place = { scopeId: 'first-case', documentId: 'report-2025' }
  const { items } = await concord.listClaims({ scopeId: place.scopeId, document_id: place.documentId })
  for (const { quote, start, end } of items) {
    const { text } = await concord.getDocumentText({ ...place, start, end })
    console.log(text === quote)
  }
}

export async function exportScope(concord: Concord): Promise<void> {
  const file = await concord.exportScope({ scopeId: 'first-case' })
  const lines = (await file.text()).trimEnd().split('\n')
  console.log(lines.length, lines.at(-1))
}
