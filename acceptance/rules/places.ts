/** Scopes and documents that are not there, or not the caller's: one answer, in the same words. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sameForAll } from '../problem-document.ts'
import type { SubjectCall, Subject } from '../subject.ts'
import { newDocumentId, readDocument, register } from '../world/documents.ts'
import { createScope, createTenant, newScopeId } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'

/** `ask` is a call in the name of the caller about this scope. */
export function describeScopePlace(subject: Subject, ask: (scopeId: string) => SubjectCall): void {
  describe(`${subject.operation.name}: 404 for a scope`, () => {
    it.each(['unknown', '0', 'null', 'a'.repeat(120)])('does not know %s', async (scopeId) => {
      subject.expectProblem(await subject.call(ask(scopeId)), 'scope_not_found')
    })

    it('does not know that of another tenant, and says so in the same words', async () => {
      const { scope_id: foreign } = await createScope(await createTenant())
      const reply = await subject.call(ask(foreign))
      subject.expectProblem(reply, 'scope_not_found')
      expect(sameForAll(reply)).toEqual(sameForAll(await subject.call(ask(newScopeId()))))
    })
  })
}

/** `ask` is a call in the name of `owner` about this document of this scope. */
export function describeDocumentPlace(
  subject: Subject,
  owner: () => Tenant,
  ask: (scopeId: string, documentId: string) => SubjectCall,
): void {
  let scopeId: string
  let other: Tenant

  beforeAll(async () => {
    const [created, tenant] = await Promise.all([createScope(owner()), createTenant()])
    scopeId = created.scope_id
    other = tenant
    await createScope(other, scopeId)
  })

  describe(`${subject.operation.name}: 404 for a document`, () => {
    it.each(['unknown', '0', 'null', ' ', '💠'.repeat(200)])('does not know %s', async (documentId) => {
      subject.expectProblem(await subject.call(ask(scopeId, documentId)), 'document_not_found')
    })

    it('does not know that of another tenant, says so in the same words, and leaves it alone', async () => {
      const { document_id: foreign } = await register(other, scopeId)
      const before = await readDocument(other, scopeId, foreign)
      const reply = await subject.call(ask(scopeId, foreign))
      subject.expectProblem(reply, 'document_not_found')
      expect(sameForAll(reply)).toEqual(sameForAll(await subject.call(ask(scopeId, newDocumentId()))))
      expect(await readDocument(other, scopeId, foreign)).toEqual(before)
    })

    it('does not find in one scope what is in another', async () => {
      const elsewhere = await createScope(owner())
      const { document_id: documentId } = await register(owner(), elsewhere.scope_id)
      subject.expectProblem(await subject.call(ask(scopeId, documentId)), 'document_not_found')
    })
  })
}
