/**
 * Says once a second that this process lives, to whoever keeps count. Nothing is decided by it: a process that nobody
 * hears goes on working.
 */
import type { Heartbeat } from '../domain/heartbeat.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Broker } from './broker.ts'

export interface HeartbeatDeps {
  readonly broker: Pick<Broker, 'announce'>
  readonly subject: string
  readonly describe: (retiring: boolean) => Heartbeat
}

export interface Pulse extends Part {
  /** To be started last and so stopped first: from then on the process says that it takes nothing new. */
  readonly farewell: Part
}

const EVERY_MS = 1_000

export function createPulse({ broker, subject, describe }: HeartbeatDeps): Pulse {
  let retiring = false
  let timer: NodeJS.Timeout | undefined

  const say = () => broker.announce(subject, JSON.stringify(describe(retiring)))

  return {
    name: 'heartbeat',
    async start() {
      say()
      timer = setInterval(say, EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
    },
    farewell: {
      name: 'farewell',
      start: async () => undefined,
      async stop() {
        retiring = true
        say()
      },
    },
  }
}
