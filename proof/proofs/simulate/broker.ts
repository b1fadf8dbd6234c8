/**
 * A broker at its worst: it hands messages out in any order, hands them out again when their lease ends, believes any
 * acknowledgement however old, may be away, and may lose everything it holds.
 */
import type { Chance } from '../../harness/chance.ts'
import type { DocumentRef } from './rules.ts'

export interface Note {
  readonly ref: DocumentRef
  readonly ticket: number
}

export interface SimulatedDelivery {
  readonly id: number
  readonly note: Note
  readonly redelivered: boolean
}

export type SimulatedBroker = ReturnType<typeof createBroker>

const ACK_WAIT_MS = 9_000

export function createBroker(chance: Chance) {
  /** Each is handed out once it is due. */
  const messages = new Map<number, { readonly note: Note; dueAt: number; deliveries: number }>()
  let reachable = true
  let madeAt = 0
  let lastId = 0
  const postpone = (id: number, dueAt: number) => {
    const message = messages.get(id)
    if (message) message.dueAt = dueAt
  }
  return {
    isReachable: () => reachable,
    setReachable: (value: boolean) => void (reachable = value),
    /** Returns how many messages were lost. */
    wipe(at: number): number {
      const lost = messages.size
      messages.clear()
      madeAt = at
      return lost
    },
    inspect: (at: number) => ({ ageSeconds: (at - madeAt) / 1000, held: messages.size }),
    publish: (at: number, note: Note) => void messages.set((lastId += 1), { note, dueAt: at, deliveries: 0 }),
    receive(at: number, max: number): readonly SimulatedDelivery[] {
      const due = [...messages].filter(([, { dueAt }]) => dueAt <= at)
      const taken: SimulatedDelivery[] = []
      while (taken.length < max && due.length > 0) {
        const [[id, message] = []] = due.splice(chance.between(0, due.length - 1), 1)
        if (id === undefined || !message) break
        message.dueAt = at + ACK_WAIT_MS
        message.deliveries += 1
        taken.push({ id, note: message.note, redelivered: message.deliveries > 1 })
      }
      return taken
    },
    ack: (id: number) => void messages.delete(id),
    working: (at: number, id: number) => postpone(id, at + ACK_WAIT_MS),
    retryIn: (at: number, id: number, ms: number) => postpone(id, at + ms),
  }
}
