/** graphile-worker's addJob, one call for each document. Its schema is made here, before the clock runs. */
import { Logger, makeWorkerUtils } from 'graphile-worker'
import { payloadOf } from '../src/client.ts'
import type { Client, ClientOrder } from '../src/client.ts'

export async function open(order: ClientOrder): Promise<Client> {
  const utils = await makeWorkerUtils({
    connectionString: order.target['databaseUrl'] ?? '',
    maxPoolSize: Number(order.target['connections']),
    logger: new Logger(() => () => undefined),
  })
  await utils.migrate()
  const payload = payloadOf(order)
  const add = async () => {
    await utils.addJob('read', payload())
    return 1
  }
  return { lanes: Array.from({ length: order.inFlight }, () => add), close: async () => utils.release() }
}
