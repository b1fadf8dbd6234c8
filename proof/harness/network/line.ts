/**
 * One direction of a connection through the proxy: bytes leave in the order in which they came, whole and at once, late,
 * one at a time or not at all, as the weather is. The end of the source is passed on behind its last byte.
 */
import type { Socket } from 'node:net'

export const networkFaults = ['blackhole', 'reset', 'slow', 'trickle'] as const

export type NetworkFault = (typeof networkFaults)[number]

export type Weather = NetworkFault | 'fair'

/** Above this nothing more is taken in, as a full pipe does. */
const MAX_WAITING = 1_048_576

interface Parcel {
  bytes: Buffer
  readonly due: number
}

export interface NetworkLine {
  /** The weather has changed. */
  look(): void
}

/** `slowMs` is how late bytes are in slow weather, each way, so that an answer takes twice as long. */
export function layLine(source: Socket, target: Socket, weather: () => Weather, slowMs: number): NetworkLine {
  const parcels: Parcel[] = []
  let waiting = 0
  let ended = false
  let pending: (() => void) | undefined

  /** The rest is looked at again: after a while, or in the next turn. */
  function lookLater(ms: number): void {
    if (pending) return
    const timer = ms > 0 ? setTimeout(again, ms) : setImmediate(again)
    pending = () =>
      ms > 0 ? clearTimeout(timer as NodeJS.Timeout) : clearImmediate(timer as NodeJS.Immediate)
  }

  function again(): void {
    pending = undefined
    pass()
  }

  function pass(): void {
    for (;;) {
      const [first] = parcels
      if (weather() === 'blackhole' || target.destroyed) return
      if (!first) break
      const late = first.due - performance.now()
      if (late > 0) return lookLater(late)
      if (weather() === 'trickle') return trickle(first)
      parcels.shift()
      deliver(first.bytes)
    }
    if (ended) target.end()
  }

  /** A turn of the event loop for every byte, so that it is sent by itself. */
  function trickle(parcel: Parcel): void {
    deliver(parcel.bytes.subarray(0, 1))
    parcel.bytes = parcel.bytes.subarray(1)
    if (parcel.bytes.length === 0) parcels.shift()
    lookLater(0)
  }

  function deliver(bytes: Buffer): void {
    waiting -= bytes.length
    target.write(bytes)
    flow()
  }

  /** Nothing is read while nothing passes: what is sent then waits in the network, and so does the end of a connection. */
  function flow(): void {
    if (weather() === 'blackhole' || waiting > MAX_WAITING) source.pause()
    else source.resume()
  }

  source.on('data', (bytes: Buffer) => {
    waiting += bytes.length
    parcels.push({ bytes, due: performance.now() + (weather() === 'slow' ? slowMs : 0) })
    flow()
    pass()
  })
  source.on('end', () => {
    ended = true
    pass()
  })
  flow()
  return {
    look() {
      pending?.()
      pending = undefined
      flow()
      pass()
    },
  }
}
