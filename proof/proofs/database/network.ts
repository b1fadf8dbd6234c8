/** The network between the fleet and Postgres, in a thread of its own: the clients' work must not slow it down. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Services } from '@concord/tools/services'
import type { Weather } from '../../harness/network/line.ts'
import type { Address } from '../../harness/network/proxy.ts'

export type NetworkOrder = { readonly target: Address } | { readonly weather: Weather }
export type NetworkReport = { readonly port: number } | { readonly open: number }

export type Network = Awaited<ReturnType<typeof openNetwork>>

export async function openNetwork() {
  const thread = new Worker(new URL('./proxy-thread.ts', import.meta.url))
  const next = async () => (await once(thread, 'message'))[0] as NetworkReport
  const started = await next()
  const port = 'port' in started ? started.port : 0
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const send = (order: NetworkOrder) => thread.postMessage(order)
  return {
    /** The same servers, with Postgres behind the proxy for everybody but the superuser. */
    before(services: Services): Services {
      const { postgres } = services
      send({ target: { host: postgres.host, port: postgres.port } })
      return {
        ...services,
        postgres: {
          ...postgres,
          url(role, database) {
            const url = new URL(postgres.url(role, database))
            if (role !== 'superuser') url.port = String(port)
            return url.href
          },
        },
      }
    },
    /** Returns how many connections were open at that moment. */
    async set(weather: Weather): Promise<number> {
      const answer = next()
      send({ weather })
      const report = await answer
      return 'open' in report ? report.open : 0
    },
    close: async () => void (await thread.terminate()),
  }
}
