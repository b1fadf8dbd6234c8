/** How long the logs of the quiet scopes are: asked for a position beyond its end, a stream tells where it ends. */
import { readFrames } from '../../harness/http/event-frames.ts'
import type { Send } from './processes.ts'
import { QUIET_SCOPE_IDS } from './twin-documents.ts'
import type { Side } from './twin-documents.ts'
import type { Twin, Twins } from './twins.ts'

/** In the order of the quiet scopes. */
export type QuietHeads = Readonly<Record<Side, readonly number[]>>

export async function readQuietHeads(send: Send, { left, right }: Twins): Promise<QuietHeads> {
  return { left: await headsOf(send, left), right: await headsOf(send, right) }
}

async function headsOf(send: Send, { key }: Twin): Promise<number[]> {
  const heads: number[] = []
  for (const scopeId of QUIET_SCOPE_IDS) {
    const { status, body } = await send('key', 0, {
      method: 'GET',
      path: `/api/scopes/${scopeId}/events?after=900000`,
      headers: [['Authorization', `Bearer ${key}`]],
      awaitsEvent: true,
    })
    const [frame] = readFrames(body)
    if (frame?.event !== 'resync')
      throw new Error(`${scopeId} did not tell where its log ends: ${status} ${body.slice(0, 200)}`)
    heads.push((JSON.parse(frame.data) as { readonly head: number }).head)
  }
  return heads
}
