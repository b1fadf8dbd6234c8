/** Shows the policies of a tenant. */
import { isProblem } from '@concord/client'
import type { Concord } from '@concord/client'

export async function getPolicy(concord: Concord): Promise<void> {
  const { version, text } = await concord.getPolicy()
  console.log(version, text)
}

export async function putPolicy(concord: Concord): Promise<void> {
  const { version, policy_hash } = await concord.putPolicy({
    text: [
      '@id("no-drafts")',
      'forbid (principal, action == Concord::Action::"admit_document", resource)',
      'when { resource.type == "draft" };',
    ].join('\n'),
  })
  console.log(version, policy_hash)
}

export async function removePolicy(concord: Concord): Promise<void> {
  const { version } = await concord.removePolicy()
  console.log(version)
}

export async function getScopePolicy(concord: Concord): Promise<void> {
  const { text, default_text } = await concord.getScopePolicy({ scopeId: 'first-case' })
  console.log(text, default_text)
}

export async function putScopePolicy(concord: Concord): Promise<void> {
  try {
    await concord.putScopePolicy({ scopeId: 'first-case', text: 'forbid everything' })
  } catch (error) {
    if (!isProblem(error, 'policy_invalid')) throw error
    console.log(error.detail)
  }
}

export async function removeScopePolicy(concord: Concord): Promise<void> {
  const { version } = await concord.removeScopePolicy({ scopeId: 'first-case' })
  console.log(version)
}

export async function releaseDocument(concord: Concord): Promise<void> {
  try {
    await concord.releaseDocument({
      scopeId: 'first-case',
      documentId: 'report-2025',
      by: 'Ada Quist',
      reason: 'Checked by hand.',
    })
  } catch (error) {
    if (!isProblem(error, 'illegal_transition')) throw error
    console.log('it is not held')
  }
}
