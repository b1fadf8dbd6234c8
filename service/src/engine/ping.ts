/** Pings the broker: a connection alone does not prove that it answers. */
import type { Broker } from './broker.ts'

export async function pingBroker(broker: Pick<Broker, 'isConnected' | 'connection'>): Promise<void> {
  const connection = broker.connection()
  if (!connection || !broker.isConnected()) throw new Error('not connected')
  await connection.rtt()
}
