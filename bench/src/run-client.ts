/** Starts a client as a process of its own and returns what it measured. */
import { join } from 'node:path'
import { runChild } from '@concord/tools/launch'
import type { ClientOrder } from './client.ts'
import type { LoadResult } from './summary.ts'

const ENTRY = join(import.meta.dirname, '..', 'client.ts')

export async function runClient(kind: string, order: ClientOrder): Promise<LoadResult> {
  const printed = await runChild({
    command: process.execPath,
    args: [ENTRY, kind],
    env: { ...process.env, BENCH_ORDER: JSON.stringify(order) },
  })
  const result: LoadResult = JSON.parse(printed)
  return result
}
