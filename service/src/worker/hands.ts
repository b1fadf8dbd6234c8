/** Keeps the work in flight of a worker: how much room it takes, for how long it has, and what has been there longest. */
import type { Delivery } from './delivery.ts'

export interface Oldest {
  readonly note: Delivery['note']
  /** 0 until it is claimed. */
  readonly attempt: number
  readonly forMs: number
}

export interface Hands {
  take(delivery: Delivery): void
  /** It is this attempt of its document. */
  claimed(delivery: Delivery, attempt: number): void
  /** It will take long: it takes no room then, up to a bound. */
  setAside(delivery: Delivery): void
  drop(delivery: Delivery): void
  deliveries(): Iterable<Delivery>
  size(): number
  /** The used part of the capacity; never negative. */
  takenRoom(): number
  /** The size of the express line, without those set aside. */
  expressSize(): number
  oldest(): Oldest | undefined
  /** Room that was taken, times how long it was, since the start. */
  busyMs(): number
}

interface Held {
  readonly since: number
  attempt: number
}

export function createHands(capacity: number, capacityAside: number): Hands {
  const held = new Map<Delivery, Held>()
  const aside = new Set<Delivery>()
  const express = new Set<Delivery>()
  let taken = 0
  let sum = 0
  let notedAt = performance.now()

  const takenRoom = () => held.size - Math.min(aside.size, capacityAside)
  const busyMs = () => sum + taken * (performance.now() - notedAt)

  /** After every change. */
  function note(): void {
    sum = busyMs()
    notedAt = performance.now()
    taken = Math.min(capacity, takenRoom())
  }

  return {
    take(delivery) {
      held.set(delivery, { since: performance.now(), attempt: 0 })
      if (delivery.note.express) express.add(delivery)
      note()
    },
    claimed(delivery, attempt) {
      const entry = held.get(delivery)
      if (entry) entry.attempt = attempt
    },
    setAside(delivery) {
      aside.add(delivery)
      express.delete(delivery)
      note()
    },
    drop(delivery) {
      held.delete(delivery)
      aside.delete(delivery)
      express.delete(delivery)
      note()
    },
    deliveries: () => held.keys(),
    size: () => held.size,
    takenRoom,
    expressSize: () => express.size,
    // The first that came is the oldest: a map keeps the order.
    oldest() {
      for (const [delivery, { since, attempt }] of held)
        return { note: delivery.note, attempt, forMs: performance.now() - since }
      return undefined
    },
    busyMs,
  }
}
