/**
 * Tells another system of each new contradiction, as a webhook would: follows the events of a scope and posts to an address.
 *
 *     node forward.ts SCOPE ADDRESS POSITION-FILE
 *
 * The position is kept after the other side has answered with 2xx. So each contradiction is posted at least once, however
 * often this program, the service or the other side is restarted; `webhook-id` is the same each time, for the other side to
 * recognise what it has.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, isProblem } from '@concord/client'
import type { Concord } from '@concord/client'

const LONGEST_PAUSE_MS = 30_000
const TIMEOUT_MS = 10_000

async function readPosition(file: string): Promise<number> {
  try {
    return Number(await readFile(file, 'utf8'))
  } catch {
    // The first time: everything that the log has.
    return 0
  }
}

/** Never half of it, whenever the machine stops. */
async function keepPosition(file: string, position: string): Promise<void> {
  await writeFile(`${file}.new`, position)
  await rename(`${file}.new`, file)
}

async function post(address: string, id: string, body: object): Promise<void> {
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      const { ok, status } = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'webhook-id': id },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (ok) return
      console.error(`${address} answered ${status}`)
    } catch (error) {
      console.error(`${address}: ${String(error)}`)
    }
    await pause(pauseMs)
  }
}

/** Events carry ids only; what it is about is asked for. It may be gone by then. */
async function read(concord: Concord, scopeId: string, contradictionId: string): Promise<object | undefined> {
  try {
    return await concord.getContradiction({ scopeId, contradictionId })
  } catch (error) {
    if (isProblem(error, 'contradiction_not_found')) return undefined
    throw error
  }
}

async function forward(scopeId: string, address: string, file: string): Promise<void> {
  const { CONCORD_URL = '', TENANT_ID, TENANT_KEY } = process.env
  const concord = createClient({
    baseUrl: CONCORD_URL,
    tenantId: TENANT_ID,
    tenantKey: TENANT_KEY,
  })
  const stream = concord.streamOwnScopeEvents({ scopeId, after: await readPosition(file) })
  for await (const event of stream) {
    if (event.type === 'resync') console.error(`The log was set back; going on after ${event.head}`)
    if (event.type === 'contradiction.opened') {
      const contradiction = await read(concord, scopeId, event.data.contradiction_id)
      if (contradiction) await post(address, `${event.source}:${event.id}`, contradiction)
    }
    if (stream.position !== undefined) await keepPosition(file, stream.position)
  }
}

const [scope, address, file] = process.argv.slice(2)
if (scope === undefined || address === undefined || file === undefined) {
  console.error('Usage: node forward.ts SCOPE ADDRESS POSITION-FILE')
  process.exitCode = 2
} else await forward(scope, address, file)
