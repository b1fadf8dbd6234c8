import { createClient } from '@concord/client'

const { CONCORD_URL, TENANT_ID, TENANT_KEY } = process.env
const concord = createClient({
  baseUrl: CONCORD_URL ?? 'http://127.0.0.1:8080',
  tenantId: TENANT_ID,
  tenantKey: TENANT_KEY,
})

const scope_id = 'first-case'
await concord.ingestAndWait({
  scope_id,
  name: 'Report',
  text: 'Borealis Ltd had revenue of EUR 12.4m in 2025.',
})
await concord.ingestAndWait({
  scope_id,
  name: 'Memo',
  text: 'The revenue of Borealis Ltd in 2025 was EUR 11.9m.',
})

for await (const { a, b } of concord.listContradictions.all({ scopeId: scope_id })) {
  console.log(`${a.source}: ${a.quote}`)
  console.log(`${b.source}: ${b.quote}`)
}
