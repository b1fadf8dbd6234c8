/**
 * A TCP proxy that stands between processes and Postgres, and is the network between them: fair, slow, or broken in one of
 * the ways in which networks break. Connections that were open before a fault suffer from it like new ones.
 */
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { layLine } from './line.ts'
import type { NetworkLine, Weather } from './line.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export type NetworkProxy = Awaited<ReturnType<typeof openProxy>>

export const SLOW_MS = 200

/** While connections are being reset, none lives longer than this. */
const RESET_EVERY_MS = 500

interface Pair {
  readonly near: Socket
  /** Undefined until the network lets it be opened. */
  far: Socket | undefined
  lines: readonly NetworkLine[]
}

export async function openProxy(slowMs = SLOW_MS) {
  const pairs = new Set<Pair>()
  let target: Address | undefined
  let weather: Weather = 'fair'
  let resetting: NodeJS.Timeout | undefined
  const readWeather = () => weather

  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (near) => {
    const pair: Pair = { near, far: undefined, lines: [] }
    pairs.add(pair)
    near.on('error', () => undefined).on('close', (broken) => hangUp(pair, near, broken))
    reach(pair)
  })

  /** Nobody answers through a blackhole: whoever knocks meanwhile is let through when it is over. */
  function reach(pair: Pair): void {
    if (weather === 'blackhole' || pair.far || pair.near.destroyed) return
    if (!target) throw new Error('the proxy was aimed at nothing')
    const far = connect({ ...target, allowHalfOpen: true, noDelay: true })
    pair.far = far
    far.on('error', () => undefined).on('close', (broken) => hangUp(pair, far, broken))
    far.once('connect', () => {
      pair.lines = [
        layLine(pair.near, far, readWeather, slowMs),
        layLine(far, pair.near, readWeather, slowMs),
      ]
    })
  }

  /** Where one side broke off, so does the other; an orderly end was passed on behind the last byte. */
  function hangUp(pair: Pair, gone: Socket, broken: boolean): void {
    const other = gone === pair.near ? pair.far : pair.near
    if (broken && other && !other.destroyed) other.resetAndDestroy()
    if (pair.near.destroyed && (pair.far?.destroyed ?? true)) pairs.delete(pair)
  }

  function resetAll(): void {
    for (const { near, far } of pairs) {
      near.resetAndDestroy()
      far?.resetAndDestroy()
    }
  }

  await listen(server)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    /** Where connections lead from now on. */
    aim: (where: Address) => void (target = where),
    /** Returns how many connections were open at that moment. */
    set(next: Weather): number {
      const open = pairs.size
      weather = next
      clearInterval(resetting)
      if (next === 'reset') {
        resetAll()
        resetting = setInterval(resetAll, RESET_EVERY_MS)
      }
      for (const pair of pairs) {
        reach(pair)
        for (const line of pair.lines) line.look()
      }
      return open
    },
    async close(): Promise<void> {
      clearInterval(resetting)
      for (const { near, far } of pairs) {
        near.destroy()
        far?.destroy()
      }
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve()),
  )
}
