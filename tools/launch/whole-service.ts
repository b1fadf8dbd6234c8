/** All of the service in one process, on a database copied from a template, with an admin key: enough for whoever only calls it. */
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Services } from '../services/index.ts'
import { runChild, startChild } from './child.ts'
import { createDatabase, dropDatabase } from './database.ts'
import { deploymentEnv, freePort, untilReady } from './deployment.ts'

export interface WholeService {
  readonly url: string
  readonly adminKey: string
  /** The command as a file that Node runs. */
  readonly entry: string
  remove(): Promise<void>
}

export async function startWholeService(services: Services, template: string): Promise<WholeService> {
  const entry = fileURLToPath(new URL('../../service/src/main/concord.ts', import.meta.url))
  const name = `whole_${randomBytes(6).toString('hex')}`
  await createDatabase(services, { name, template })
  const port = await freePort()
  const env = { ...deploymentEnv(services, name), PORT: String(port), READERS: '1', LOG_LEVEL: 'warn' }
  const child = startChild({ command: process.execPath, args: [entry, 'up'], env })
  const remove = async () => {
    await child.stop(5_000)
    await dropDatabase(services, name)
  }
  const url = `http://127.0.0.1:${port}`
  const args = [entry, 'keys', 'create', '--tier', 'admin', '--json']
  try {
    const [key] = await Promise.all([
      runChild({ command: process.execPath, args, env }),
      untilReady(child, url),
    ])
    return { url, adminKey: (JSON.parse(key) as { api_key: string }).api_key, entry, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
