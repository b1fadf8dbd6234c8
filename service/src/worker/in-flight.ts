/** The deliveries that a worker has in flight: how much capacity they use, for how long, and which is the oldest. */
import type { Delivery } from './delivery.ts'

export interface OldestDelivery {
  readonly message: Delivery['message']
  /** 0 until the attempt has begun. */
  readonly attempt: number
  readonly forMs: number
}

export interface InFlight {
  add(delivery: Delivery): void
  /** Records the number of the attempt that has begun, and how much memory its document takes. */
  started(delivery: Delivery, attempt: number, bytes: number): void
  /** Marks a delivery that will take long. Up to a bound of their number and bytes, parked deliveries use no capacity. */
  park(delivery: Delivery): void
  /** Counts a priority delivery as a standard one from now on. It still uses its capacity. */
  yieldPriority(delivery: Delivery): void
  remove(delivery: Delivery): void
  deliveries(): Iterable<Delivery>
  size(): number
  /** Never negative. */
  usedCapacity(): number
  /** The number of priority deliveries that are not parked and did not yield. */
  prioritySize(): number
  oldest(): OldestDelivery | undefined
  /** The used capacity times the time it was used, since the start. */
  busyMs(): number
}

interface Entry {
  readonly since: number
  attempt: number
  bytes: number
}

export interface ParkingLimits {
  readonly maxParked: number
  readonly maxParkedBytes: number
}

export function createInFlight(capacity: number, { maxParked, maxParkedBytes }: ParkingLimits): InFlight {
  const entries = new Map<Delivery, Entry>()
  const parked = new Set<Delivery>()
  const priority = new Set<Delivery>()
  /** The parked deliveries that use no capacity. */
  let free = 0
  let used = 0
  let sum = 0
  let updatedAt = performance.now()

  const usedCapacity = () => entries.size - free
  const busyMs = () => sum + used * (performance.now() - updatedAt)

  /** Counts the parked deliveries that fit into both bounds, those that were parked first before others. */
  function countFree(): number {
    let [count, bytes] = [0, 0]
    for (const delivery of parked) {
      const own = entries.get(delivery)?.bytes ?? 0
      if (count >= maxParked) break
      if (bytes + own > maxParkedBytes) continue
      count += 1
      bytes += own
    }
    return count
  }

  /** Every change ends with this call. */
  function update(): void {
    sum = busyMs()
    updatedAt = performance.now()
    free = countFree()
    used = Math.min(capacity, usedCapacity())
  }

  return {
    add(delivery) {
      entries.set(delivery, { since: performance.now(), attempt: 0, bytes: 0 })
      if (delivery.message.priority) priority.add(delivery)
      update()
    },
    started(delivery, attempt, bytes) {
      const entry = entries.get(delivery)
      if (entry) Object.assign(entry, { attempt, bytes })
    },
    park(delivery) {
      parked.add(delivery)
      priority.delete(delivery)
      update()
    },
    yieldPriority(delivery) {
      priority.delete(delivery)
    },
    remove(delivery) {
      entries.delete(delivery)
      parked.delete(delivery)
      priority.delete(delivery)
      update()
    },
    deliveries: () => entries.keys(),
    size: () => entries.size,
    usedCapacity,
    prioritySize: () => priority.size,
    // A map keeps the order of insertion, so its first entry is the oldest.
    oldest() {
      for (const [{ message }, { since, attempt }] of entries)
        return { message, attempt, forMs: performance.now() - since }
      return undefined
    },
    busyMs,
  }
}
