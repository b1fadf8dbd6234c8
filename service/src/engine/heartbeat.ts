/** Publishes a heartbeat of this process once a second. A process whose heartbeats get lost goes on working. */
import type { Heartbeat } from '../domain/heartbeat.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Broker } from './broker.ts'

export interface HeartbeatDeps {
  readonly broker: Pick<Broker, 'announce'>
  readonly subject: string
  readonly describe: (retiring: boolean) => Heartbeat
}

export interface Pulse extends Part {
  /** Start it last, so that it is stopped first: from then on the heartbeats say that the process takes no new work. */
  readonly farewell: Part
}

const EVERY_MS = 1_000

export function createPulse({ broker, subject, describe }: HeartbeatDeps): Pulse {
  let retiring = false
  let timer: NodeJS.Timeout | undefined

  const send = () => broker.announce(subject, JSON.stringify(describe(retiring)))

  return {
    name: 'heartbeat',
    async start() {
      send()
      timer = setInterval(send, EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
    },
    farewell: {
      name: 'farewell',
      start: async () => undefined,
      async stop() {
        retiring = true
        send()
      },
    },
  }
}
