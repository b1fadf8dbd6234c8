/** A key is shown in the response that made it and in no other, and that response may not be kept. */
import type { Figures } from '../../harness/figures.ts'
import type { Stage } from './stage.ts'

export async function proveShowings(stage: Stage, figures: Figures): Promise<void> {
  const { clients, admin: bearer, evidence } = stage
  const tenant = await stage.createTenant()
  const keys = [await stage.issueKey(tenant), await stage.issueKey(tenant, { name: 'second' })]
  const list = `/admin/tenants/${tenant.id}/keys`
  const single = keys.map(({ key_id }) => `${list}/${key_id}`)
  const paths = [list, `/admin/tenants/${tenant.id}`, '/admin/tenants', ...single]
  const reads = await Promise.all(
    clients.flatMap((client) => paths.map((path) => client.send({ path, bearer }))),
  )
  const failed = reads.find(({ status }) => status !== 200)
  if (failed) throw new Error(`a read of keys was answered ${failed.status}: ${failed.text}`)
  const shown = reads.filter(
    ({ text }) => text.includes('api_key') || [...evidence.keys].some((key) => text.includes(key)),
  )
  const kept = evidence.showings.filter((isForbidden) => !isForbidden).length
  figures.note('reads of keys', reads.length)
  figures.exactly('reads that show a key', shown.length, 0)
  figures.atLeast('answers that showed a new key', evidence.showings.length, 1)
  figures.exactly('of these, answers that a cache may keep', kept, 0)
}
