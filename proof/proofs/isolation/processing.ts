/**
 * Lets a dispatcher and a worker loose on the documents of the twins, which have the same ids on both sides. Every
 * claim and every result names a tenant; were one taken for the other's, the figures of a reading would show it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Deployment } from '@concord/tools/launch'
import { readFrames } from '../../harness/http/event-frames.ts'
import type { Send } from './processes.ts'
import { DOCUMENT_SCOPE_ID, QUIET_SCOPE_IDS, SENTENCES, SETTLED_SCOPE_ID } from './twin-documents.ts'
import type { Twin, Twins } from './twins.ts'

export interface ProcessingFindings {
  readonly processed: number
  /** Each a sentence: a document that failed, got stuck, or whose reading is of another text. */
  readonly wrong: readonly string[]
}

interface LoggedEvent {
  readonly type: string
  readonly data: { readonly document_id?: string; readonly sentences?: number }
}

/** The log of a scope from its beginning, as its tenant sees it. */
type ReadLog = (twin: Twin, scopeId: string) => Promise<LoggedEvent[]>

const ENDS = new Set(['document.processed', 'document.failed'])
const PATIENCE_MS = 30_000

export async function processDocuments(
  deployment: Deployment,
  send: Send,
  { left, right }: Twins,
): Promise<ProcessingFindings> {
  // A process each, as it would be in a deployment of several machines; both are gone before the attacks begin.
  const kernel = await Promise.all([
    deployment.startKernel('dispatcher', { LOG_LEVEL: 'info' }),
    deployment.startKernel('worker', { LOG_LEVEL: 'info', READERS: '1' }),
  ])
  const readLog = logReader(send)
  const findings = await Promise.all([
    inspect(readLog, left, SENTENCES.left),
    inspect(readLog, right, SENTENCES.right),
  ])
  await Promise.all(kernel.map((child) => child.stop()))
  return {
    processed: findings.reduce((sum, { processed }) => sum + processed, 0),
    wrong: findings.flatMap(({ wrong }) => wrong),
  }
}

async function inspect(readLog: ReadLog, twin: Twin, sentences: number): Promise<ProcessingFindings> {
  const ends = await Promise.all(
    [DOCUMENT_SCOPE_ID, ...QUIET_SCOPE_IDS, SETTLED_SCOPE_ID].map((scopeId) =>
      untilEnded(readLog, twin, scopeId),
    ),
  )
  const wrong = ends
    .flat()
    .filter(({ type, data }) => type !== 'document.processed' || data.sentences !== sentences)
  return {
    processed: ends.flat().length,
    wrong: wrong.map(
      ({ type, data }) =>
        `${String(data.document_id)} of ${twin.tenantId}: ${type} with ${data.sentences} sentences, not ${sentences}`,
    ),
  }
}

/** One end for each document that was queued, and one more entry for those that never came to an end. */
async function untilEnded(readLog: ReadLog, twin: Twin, scopeId: string): Promise<LoggedEvent[]> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const log = await readLog(twin, scopeId)
    const ends = log.filter(({ type }) => ENDS.has(type))
    const open = log.filter(({ type, data }) => {
      const isEnd = (end: LoggedEvent) => end.data.document_id === data.document_id
      return type === 'document.queued' && !ends.some(isEnd)
    })
    if (open.length === 0) return ends
    if (performance.now() > deadline) return [...ends, ...open]
    await delay(100)
  }
}

function logReader(send: Send): ReadLog {
  return async ({ key }, scopeId) => {
    const { status, body } = await send('key', 0, {
      method: 'GET',
      path: `/api/scopes/${scopeId}/events?after=0`,
      headers: [['Authorization', `Bearer ${key}`]],
      awaitsEvent: true,
    })
    if (status !== 200) throw new Error(`The log of ${scopeId} was answered ${status}: ${body}`)
    return readFrames(body).map(({ data }) => JSON.parse(data) as LoggedEvent)
  }
}
