/**
 * Lets a dispatcher and a worker loose on the documents of the twins, which have the same ids on both sides. Every
 * attempt and every result names a tenant; were one taken for the other's, the figures of a reading would show it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Deployment } from '@concord/tools/launch'
import { readFrames } from '../../harness/http/event-frames.ts'
import type { Service } from './service.ts'
import { DOCUMENT_SCOPE_ID, QUIET_SCOPE_IDS, SENTENCES, SETTLED_SCOPE_ID } from './twin-documents.ts'
import type { Twin, Twins } from './twins.ts'

interface LoggedEvent {
  readonly type: string
  readonly data: { readonly document_id?: string; readonly sentences?: number }
}

const ENDS = new Set(['document.processed', 'document.failed'])
const TIMEOUT_MS = 120_000

/** Each of `wrong` is a sentence: a document that failed, got stuck, or whose reading is of another text. */
export async function processDocuments(
  deployment: Deployment,
  send: Service['send'],
  { left, right }: Twins,
) {
  // A process each, as it would be in a deployment of several machines; both are gone before the attacks begin.
  const kernel = await Promise.all([
    deployment.startKernel('dispatcher', { LOG_LEVEL: 'info' }),
    deployment.startKernel('worker', { LOG_LEVEL: 'info', READERS: '1' }),
  ])
  const findings = await Promise.all([
    inspect(send, left, SENTENCES.left),
    inspect(send, right, SENTENCES.right),
  ])
  await Promise.all(kernel.map((child) => child.stop()))
  return {
    processed: findings.reduce((sum, { processed }) => sum + processed, 0),
    wrong: findings.flatMap(({ wrong }) => wrong),
  }
}

async function inspect(send: Service['send'], twin: Twin, sentences: number) {
  const scopeIds = [DOCUMENT_SCOPE_ID, ...QUIET_SCOPE_IDS, SETTLED_SCOPE_ID]
  const ends = (await Promise.all(scopeIds.map((scopeId) => untilEnded(send, twin, scopeId)))).flat()
  const wrong = ends
    .filter(({ type, data }) => type !== 'document.processed' || data.sentences !== sentences)
    .map(({ type, data }) => {
      const id = `${data.document_id} of ${twin.tenantId}`
      return `${id}: ${type} with ${data.sentences} sentences, not ${sentences}`
    })
  return { processed: ends.length, wrong }
}

/** One end for each document that was queued, and one more entry for those that never came to an end. */
async function untilEnded(send: Service['send'], twin: Twin, scopeId: string): Promise<LoggedEvent[]> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const log = await readLog(send, twin, scopeId)
    const ends = log.filter(({ type }) => ENDS.has(type))
    const ended = new Set(ends.map(({ data }) => data.document_id))
    const open = log.filter(({ type, data }) => type === 'document.queued' && !ended.has(data.document_id))
    if (open.length === 0) return ends
    if (performance.now() > deadline) return [...ends, ...open]
    await delay(100)
  }
}

/** The log of a scope from its beginning, as its tenant sees it. */
async function readLog(send: Service['send'], { key }: Twin, scopeId: string): Promise<LoggedEvent[]> {
  const path = `/api/scopes/${scopeId}/events?after=0`
  const { status, text } = await send('key', 0, { path, bearer: key, awaitsEvent: true })
  if (status !== 200) throw new Error(`The log of ${scopeId} was answered ${status}: ${text}`)
  return readFrames(text).map(({ data }) => JSON.parse(data) as LoggedEvent)
}
