/** Making a client, and telling its errors apart. */
import { ConcordProblem, createClient, isProblem } from '@concord/client'
import type { Concord } from '@concord/client'

export async function createClientExample(
  _concord: Concord,
  env: { readonly CONCORD_URL: string; readonly TENANT_ID: string; readonly TENANT_KEY: string },
): Promise<void> {
  const concord = createClient({
    baseUrl: env.CONCORD_URL,
    tenantId: env.TENANT_ID,
    tenantKey: env.TENANT_KEY,
  })
  const { items } = await concord.listOwnScopes()
  console.log(items.length)
}

export async function isProblemExample(concord: Concord): Promise<void> {
  try {
    await concord.getOwnScope({ scopeId: 'no-such-scope' })
  } catch (error) {
    if (!isProblem(error, 'scope_not_found')) throw error
    console.log('make the scope first')
  }
}

export async function ConcordProblemExample(concord: Concord): Promise<void> {
  try {
    await concord.ingestDocument({ scope_id: 'first-case', name: '', text: 'A text.' })
  } catch (error) {
    if (!(error instanceof ConcordProblem)) throw error
    console.log(error.code, error.requestId)
    for (const { pointer, message } of error.errors) console.log(pointer, message)
  }
}
