/** Logs a warning once a minute while the process trusts a bare header, so that the setting is not forgotten. */
import type { Config } from '../platform/config.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export function createInsecureWarning({ AUTH_MODE }: Config, log: Log): Part {
  let timer: NodeJS.Timeout | undefined
  const warn = () => log.warn('AUTH_MODE is insecure-tenant-id: anyone who can reach this port is any tenant')
  return {
    name: 'insecure warning',
    async start() {
      if (AUTH_MODE !== 'insecure-tenant-id') return
      warn()
      timer = setInterval(warn, 60_000)
    },
    async stop() {
      clearInterval(timer)
    },
  }
}
