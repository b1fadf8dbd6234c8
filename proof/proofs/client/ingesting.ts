/** Writers that send one document after the other through the client, and trust it with everything else. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Concord } from '@concord/client'
import { SILENT_SENTENCE } from '../../harness/history.ts'

export interface Ingesting {
  /** The names of the documents that were accepted. */
  readonly accepted: readonly string[]
  /** Calls that the client gave up, in words. */
  readonly failures: readonly string[]
  /** Resolves when the last call has ended. */
  finish(): Promise<void>
}

/** What is proved is that nothing is lost; a queue that grows shows no more of it. */
const PAUSE_MS = 100

export function keepIngesting(concord: Concord, scopeId: string, writers: number): Ingesting {
  const accepted: string[] = []
  const failures: string[] = []
  const finished = new AbortController()

  async function write(writer: number): Promise<void> {
    for (let turn = 0; !finished.signal.aborted; turn += 1) {
      const name = `document ${writer}-${turn}`
      try {
        await concord.ingestDocument({ scope_id: scopeId, name, text: `${name}\n\n${SILENT_SENTENCE}` })
        accepted.push(name)
        await delay(PAUSE_MS)
      } catch (error) {
        failures.push(String(error))
      }
    }
  }

  const writing = Array.from({ length: writers }, (_, writer) => write(writer))
  return {
    accepted,
    failures,
    async finish() {
      finished.abort()
      await Promise.all(writing)
    },
  }
}
