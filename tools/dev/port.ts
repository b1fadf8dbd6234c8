/** The port of the service, before anything is started: a service that cannot listen must not be announced. */
import { createServer } from 'node:net'

const DEFAULT_PORT = '8080'

export function portOf(environment: NodeJS.ProcessEnv): string {
  return environment['PORT'] ?? DEFAULT_PORT
}

export class PortUnavailable extends Error {
  constructor(port: string, code: string | undefined) {
    const why =
      code === 'EADDRINUSE' ? 'is in use, perhaps by another npm run dev' : `cannot be used (${code})`
    super(`Port ${port} ${why}. Choose another one: PORT=${Number(port) === 8081 ? 8082 : 8081} npm run dev`)
    this.name = 'PortUnavailable'
  }
}

/** Listens for a moment, as the service will. */
export async function requireFreePort(port: string): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: Error & { code?: string }) => reject(new PortUnavailable(port, error.code)))
    probe.listen(Number(port), '127.0.0.1', () => probe.close(() => resolve()))
  })
}
