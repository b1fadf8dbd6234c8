/** A key is shown in the answer that made it and in no other, and that answer may not be kept. */
import type { Figures } from '../../harness/figures.ts'
import type { Stage } from './stage.ts'

export async function proveShowings(stage: Stage, figures: Figures): Promise<void> {
  const { callers, admin, evidence } = stage
  const tenant = await stage.createTenant()
  const keys = [await stage.issueKey(tenant), await stage.issueKey(tenant, { name: 'second' })]
  const path = `/admin/tenants/${tenant.id}/keys`
  const reads = await Promise.all(
    callers.flatMap((caller) =>
      [
        path,
        `/admin/tenants/${tenant.id}`,
        '/admin/tenants',
        ...keys.map(({ key_id }) => `${path}/${key_id}`),
      ].map((each) => caller.send({ path: each, bearer: admin })),
    ),
  )
  const failed = reads.find(({ status }) => status !== 200)
  if (failed) throw new Error(`a read of keys was answered ${failed.status}: ${failed.text}`)
  const shown = reads.filter(
    ({ text }) => text.includes('api_key') || [...evidence.keys].some((key) => text.includes(key)),
  )
  figures.note('reads of keys', reads.length)
  figures.exactly('reads that show a key', shown.length, 0)
  figures.atLeast('answers that showed a new key', evidence.showings.length, 1)
  figures.exactly(
    'of these, answers that a cache may keep',
    evidence.showings.filter(({ noStore }) => !noStore).length,
    0,
  )
}
