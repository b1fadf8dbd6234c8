/**
 * `node bench/client.ts NAME`: one client of a measurement, started by a bench with its order in the environment, where
 * the credentials in it are nobody else's to see. Prints what the load came to as one JSON line.
 */
import type { ClientOrder, OpenClient } from './src/client.ts'
import { measure } from './src/measure.ts'

/** Each loads only what it needs. */
const kinds: Readonly<Record<string, () => Promise<{ open: OpenClient }>>> = {
  http: () => import('./clients/http.ts'),
  'bare-insert': () => import('./clients/bare-insert.ts'),
  'bare-loop': () => import('./clients/bare-loop.ts'),
  'graphile-worker': () => import('./clients/graphile-worker.ts'),
  'pg-boss': () => import('./clients/pg-boss.ts'),
  bullmq: () => import('./clients/bullmq.ts'),
}

const kind = kinds[process.argv[2] ?? '']
if (!kind)
  throw new Error(`There is no client ${process.argv[2]}; there are ${Object.keys(kinds).join(', ')}.`)
const order: ClientOrder = JSON.parse(process.env['BENCH_ORDER'] ?? '{}')
const { open } = await kind()
const client = await open(order)
const result = await measure(client, order)
await client.close()
process.stdout.write(`${JSON.stringify(result)}\n`)
