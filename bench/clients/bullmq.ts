/** BullMQ's add, one call for each document, over the one connection that a queue opens. */
import { Queue } from 'bullmq'
import { payloadOf } from '../src/client.ts'
import type { Client, ClientOrder } from '../src/client.ts'

export async function open(order: ClientOrder): Promise<Client> {
  const queue = new Queue('read', {
    connection: { host: '127.0.0.1', port: Number(order.target['redisPort']) },
  })
  await queue.waitUntilReady()
  const payload = payloadOf(order)
  const add = async () => {
    await queue.add('read', payload())
    return 1
  }
  return { lanes: Array.from({ length: order.inFlight }, () => add), close: () => queue.close() }
}
