/**
 * A broker at its worst: it hands messages out in any order, hands them out again when their lease ends, believes any
 * acknowledgement however old, may be away, and may lose everything it holds.
 */
import type { Chance } from '../../harness/chance.ts'
import type { QueueSight } from './rules/releasing.ts'
import type { Place } from './store.ts'

export interface Note {
  readonly place: Place
  readonly ticket: number
}

export interface Delivery {
  readonly id: number
  readonly note: Note
  readonly redelivered: boolean
}

interface Message {
  readonly note: Note
  /** Not handed out before this. */
  dueAt: number
  deliveries: number
}

export interface Broker {
  isReachable(): boolean
  setReachable(reachable: boolean): void
  /** Returns how many messages were lost. */
  wipe(at: number): number
  inspect(at: number): QueueSight
  publish(at: number, note: Note): void
  receive(at: number, max: number): readonly Delivery[]
  ack(id: number): void
  working(at: number, id: number): void
  retryIn(at: number, id: number, ms: number): void
}

const ACK_WAIT_MS = 9_000

export function createBroker(chance: Chance): Broker {
  const messages = new Map<number, Message>()
  let reachable = true
  let madeAt = 0
  let lastId = 0
  const postpone = (id: number, dueAt: number) => {
    const message = messages.get(id)
    if (message) message.dueAt = dueAt
  }
  return {
    isReachable: () => reachable,
    setReachable: (value) => void (reachable = value),
    wipe(at) {
      const lost = messages.size
      messages.clear()
      madeAt = at
      return lost
    },
    inspect: (at) => ({ ageSeconds: (at - madeAt) / 1000, held: messages.size }),
    publish: (at, note) => void messages.set((lastId += 1), { note, dueAt: at, deliveries: 0 }),
    receive(at, max) {
      const due = [...messages].filter(([, { dueAt }]) => dueAt <= at)
      const taken: Delivery[] = []
      while (taken.length < max && due.length > 0) {
        const [[id, message] = []] = due.splice(chance.between(0, due.length - 1), 1)
        if (id === undefined || !message) break
        message.dueAt = at + ACK_WAIT_MS
        message.deliveries += 1
        taken.push({ id, note: message.note, redelivered: message.deliveries > 1 })
      }
      return taken
    },
    ack: (id) => void messages.delete(id),
    working: (at, id) => postpone(id, at + ACK_WAIT_MS),
    retryIn: (at, id, ms) => postpone(id, at + ms),
  }
}
