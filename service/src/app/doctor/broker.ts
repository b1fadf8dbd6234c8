/** Checks NATS and its work queue. */
import { failed, judgeBroker, ok } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import { askBrokerFacts } from '../../engine/broker-facts.ts'
import type { Broker } from '../../engine/broker.ts'
import { findQueueStorage } from '../../engine/work-queue.ts'
import { attempt } from './attempt.ts'

export async function checkBroker(broker: Broker, workSubjects: readonly string[]): Promise<Check[]> {
  const advice = 'see that NATS runs, and that NATS_URL leads there with the right user and password'
  return attempt('nats', advice, async () => {
    const facts = await askBrokerFacts(broker)
    const found = judgeBroker(facts)
    return facts.hasStreams ? [found, ...(await checkQueue(broker, workSubjects))] : [found]
  })
}

async function checkQueue(broker: Broker, workSubjects: readonly string[]): Promise<Check[]> {
  return attempt('queue', 'see the log of NATS', async () => {
    const storage = await findQueueStorage(broker, workSubjects)
    if (storage === undefined) return [ok('queue', 'not made yet; the first dispatcher makes it')]
    if (storage === 'disk') return [ok('queue', 'on the disk of NATS')]
    const advice = 'make room on the volume of its store; the dispatcher then brings the queue back by itself'
    return [failed('queue', 'NATS cannot write to its disk, and carries work in memory', advice)]
  })
}
