/** Scopes, at a glance and over time. */
import type { Concord } from '@concord/client'

export async function createScope(concord: Concord): Promise<void> {
  const { scope_id } = await concord.createScope({
    scope_id: 'borealis',
    display_name: 'Purchase of Borealis',
  })
  console.log(scope_id)
}

export async function createOwnScope(concord: Concord): Promise<void> {
  const { scope_id } = await concord.createOwnScope({
    scope_id: 'harbour-lease',
    display_name: 'Lease of the harbour office',
  })
  console.log(scope_id)
}

export async function listScopes(concord: Concord): Promise<void> {
  for await (const { scope_id, documents } of concord.listScopes.all()) console.log(scope_id, documents.total)
}

export async function listOwnScopes(concord: Concord): Promise<void> {
  for await (const { scope_id, documents } of concord.listOwnScopes.all())
    console.log(scope_id, documents.total)
}

export async function getOwnScope(concord: Concord): Promise<void> {
  const { contradictions, reading } = await concord.getOwnScope({ scopeId: 'first-case' })
  console.log(contradictions.total, reading.characters_read, reading.characters, reading.claims_compared)
}

export async function getScopeSummary(concord: Concord): Promise<void> {
  const { runtime, documents } = await concord.getScopeSummary({ scopeId: 'first-case' })
  console.log(runtime.effective, documents.total)
}

export async function getOwnScopeMetrics(concord: Concord): Promise<void> {
  const { points } = await concord.getOwnScopeMetrics({ scopeId: 'first-case', step: '5m' })
  for (const point of points) console.log(point)
}

export async function getScopeMetrics(concord: Concord): Promise<void> {
  const { points } = await concord.getScopeMetrics({ scopeId: 'first-case', step: '1h' })
  for (const point of points) console.log(point)
}

export async function resetScope(concord: Concord): Promise<void> {
  const { epoch, removed } = await concord.resetScope({ scopeId: 'first-case' })
  console.log(epoch, removed)
}

export async function deleteScope(concord: Concord): Promise<void> {
  const { removed } = await concord.deleteScope({ scopeId: 'first-case' })
  console.log(removed)
}

export async function getOwnScopeConvergence(concord: Concord): Promise<void> {
  const { state, score, blockers } = await concord.getOwnScopeConvergence({ scopeId: 'first-case' })
  console.log(state, score, blockers.length)
}

export async function getKernelConvergence(concord: Concord): Promise<void> {
  for await (const { tenant_id, scope_id, score } of concord.getKernelConvergence.all({
    scope_id: 'first-case',
  })) {
    console.log(tenant_id, scope_id, score)
  }
}

export async function getKernelConvergenceDeprecated(concord: Concord): Promise<void> {
  // Call getKernelConvergence instead.
  const { items } = await concord.getKernelConvergenceDeprecated({ scope_id: 'first-case' })
  console.log(items.length)
}

export async function getOwnScopeReport(concord: Concord): Promise<void> {
  const report = await concord.getOwnScopeReport({ scopeId: 'first-case', format: 'md' })
  console.log(report.type, await report.text())
}
