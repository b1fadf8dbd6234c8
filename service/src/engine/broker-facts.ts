/** Reads the version, JetStream support and storage of NATS. */
import { jetstreamManager } from '@nats-io/jetstream'
import type { BrokerFacts } from '../domain/checkup.ts'
import type { Broker } from './broker.ts'

const ANSWER_MS = 3_000

/** Rejects while the broker is away. */
export async function askBrokerFacts(broker: Pick<Broker, 'connection'>): Promise<BrokerFacts> {
  const connection = broker.connection()
  if (!connection) throw new Error('not connected')
  const { version = 'of an unknown version', jetstream = false } = connection.info ?? {}
  const facts = { version, hasStreams: jetstream, storedBytes: 0, storageLimit: undefined }
  if (!jetstream) return facts
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS })
  const { storage, limits } = await manager.getAccountInfo()
  return {
    ...facts,
    storedBytes: storage,
    storageLimit: limits.max_storage > 0 ? limits.max_storage : undefined,
  }
}
