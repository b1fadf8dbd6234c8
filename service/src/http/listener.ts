/** The open port, as a part that starts and stops. Stopping waits for requests in flight. */
import type { FastifyInstance } from 'fastify'
import type { Part } from '../platform/lifecycle.ts'

export interface ListenerOptions {
  readonly HOST: string
  readonly PORT: number
  readonly DRAIN_SECONDS: number
}

export interface HttpListener extends Part {
  address(): string
}

export function createListener(server: FastifyInstance, options: ListenerOptions): HttpListener {
  let address = ''
  return {
    name: 'listener',
    stopWithinMs: options.DRAIN_SECONDS * 1000,
    async start() {
      address = await server.listen({ host: options.HOST, port: options.PORT })
    },
    async stop() {
      await server.close()
    },
    address: () => address,
  }
}
