/** Parked deliveries use no capacity up to a bound of their number and of the memory of their documents. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Delivery } from '../../src/worker/delivery.ts'
import { createInFlight } from '../../src/worker/in-flight.ts'
import type { InFlight } from '../../src/worker/in-flight.ts'

const MB = 1_048_576
let inFlight: InFlight

beforeEach(() => {
  inFlight = createInFlight(4, { maxParked: 512, maxParkedBytes: 256 * MB })
})

function begin(documentId: string, bytes: number): Delivery {
  const message = { tenantId: 'a', scopeId: 's', documentId, ticket: documentId }
  const delivery: Delivery = { message, ack() {}, working() {}, retryIn() {} }
  inFlight.add(delivery)
  inFlight.started(delivery, 1, bytes)
  return delivery
}

const park = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, index) => {
    const delivery = begin(`${bytes} ${index}`, bytes)
    inFlight.park(delivery)
    return delivery
  })

describe('parked deliveries', () => {
  it('use no capacity as long as their documents are small', () => {
    park(512, 100_000)
    expect([inFlight.size(), inFlight.usedCapacity()]).toEqual([512, 0])
    park(3, 100_000)
    expect(inFlight.usedCapacity()).toBe(3)
  })

  it('use capacity beyond 256 MB, and no longer once others have ended', () => {
    const large = park(40, 8 * MB)
    expect(inFlight.usedCapacity()).toBe(8)
    for (const delivery of large.slice(0, 5)) inFlight.remove(delivery)
    expect(inFlight.usedCapacity()).toBe(3)
    for (const delivery of large.slice(5)) inFlight.remove(delivery)
    expect([inFlight.size(), inFlight.usedCapacity()]).toEqual([0, 0])
  })

  it('leave room for small documents beside large ones that do not fit', () => {
    park(33, 7.9 * MB)
    expect(inFlight.usedCapacity()).toBe(1)
    park(10, 1_000)
    expect(inFlight.usedCapacity()).toBe(1)
  })

  it('that were not parked use capacity whatever their size', () => {
    begin('small', 1)
    expect(inFlight.usedCapacity()).toBe(1)
  })
})
