/** Writers that send one document after the other through the client, and trust it with everything else. */
import type { Concord } from '@concord/client'
import { SILENT_SENTENCE } from '../../harness/history.ts'
import { repeat } from '../../harness/loop.ts'

export type Ingesting = ReturnType<typeof keepIngesting>

/** The proof is that nothing is lost; a queue that grows shows no more of it. */
const PAUSE_MS = 100

export function keepIngesting(concord: Concord, scopeId: string, writers: number) {
  const accepted: string[] = []
  const failures: string[] = []
  let sent = 0

  async function write(): Promise<void> {
    const name = `document ${(sent += 1)}`
    await concord.ingestDocument({ scope_id: scopeId, name, text: `${name}\n\n${SILENT_SENTENCE}` }).then(
      () => void accepted.push(name),
      (error: unknown) => void failures.push(String(error)),
    )
  }

  const { stop } = repeat(write, { workers: writers, pauseMs: PAUSE_MS })
  return {
    /** The names of the documents that were accepted. */
    accepted: accepted as readonly string[],
    /** Calls that the client gave up, in words. */
    failures: failures as readonly string[],
    /** Resolves when the last call has ended. */
    finish: stop,
  }
}
