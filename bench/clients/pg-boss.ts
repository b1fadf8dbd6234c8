/** pg-boss' send, one call for each document. Its schema and queue are made here, before the clock runs. */
import { PgBoss } from 'pg-boss'
import { payloadOf } from '../src/client.ts'
import type { Client, ClientOrder } from '../src/client.ts'

const QUEUE = 'read'

export async function open(order: ClientOrder): Promise<Client> {
  const boss = new PgBoss({
    connectionString: order.target['databaseUrl'] ?? '',
    max: Number(order.target['connections']),
    // A process that only sends has no upkeep to do.
    supervise: false,
    schedule: false,
  })
  await boss.start()
  await boss.createQueue(QUEUE)
  const payload = payloadOf(order)
  const send = async () => ((await boss.send(QUEUE, payload())) === null ? 0 : 1)
  return {
    lanes: Array.from({ length: order.inFlight }, () => send),
    close: () => boss.stop({ graceful: false }),
  }
}
