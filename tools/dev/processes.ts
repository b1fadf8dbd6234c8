/** The processes behind `npm run dev`. */
import { join } from 'node:path'
import { runChild, startChild, untilReady } from '../launch/index.ts'
import type { DeployedApi } from '../launch/index.ts'
import { ENTRY } from './entry.ts'

const BOUND_UP = join(import.meta.dirname, 'up.ts')

type Env = Readonly<Record<string, string>>

export async function concordCommand(env: Env, ...args: string[]): Promise<string> {
  return runChild({ command: process.execPath, args: [ENTRY, ...args], env })
}

export async function startDevApi(env: Env): Promise<DeployedApi> {
  const child = startChild({
    command: process.execPath,
    args: [BOUND_UP],
    env,
    echo: (chunk) => void process.stderr.write(chunk),
    bound: true,
  })
  const url = `http://127.0.0.1:${env['PORT']}`
  await untilReady(child, url)
  return { ...child, url }
}
