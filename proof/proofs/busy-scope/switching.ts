/** Pauses and resumes the whole service at a steady beat, and measures how long each answer takes. */
import { createHttpClient } from '../../harness/http.ts'
import { repeat } from '../../harness/loop.ts'

const EVERY_MS = 150
const TIMEOUT_MS = 30_000

export function startSwitching(url: string, adminKey: string) {
  const http = createHttpClient(url)
  const ms: number[] = []
  const failed: string[] = []
  async function move(op: 'pause' | 'resume'): Promise<void> {
    const answer = await http.send({
      method: 'POST',
      path: `/admin/runtime/${op}`,
      bearer: adminKey,
      timeoutMs: TIMEOUT_MS,
    })
    if (answer.status === 200) ms.push(answer.ms)
    else failed.push(`${op}: ${answer.status} ${answer.text.slice(0, 200)}`)
  }
  const moving = repeat(
    async () => {
      await move('pause')
      await move('resume')
    },
    { pauseMs: EVERY_MS },
  )
  return {
    async stop() {
      await moving.stop()
      http.close()
      return { ms, failed }
    },
  }
}
