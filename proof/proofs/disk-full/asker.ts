/** A client that looks at every answer closely: what it says, and how long to wait it says. */
import type { Answer } from '../../harness/http.ts'
import { repeat } from '../../harness/loop.ts'
import { createSender } from '../../harness/sender.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { pick } from '../../harness/statistics.ts'

export type Asker = ReturnType<typeof startAsking>

const TIMEOUT_MS = 15_000

/** One document until it is accepted, then the next. */
export function startAsking({ fleet, history, places, random }: FaultStage) {
  const wrong: string[] = []
  const timeout = new AbortController()
  const sender = createSender({
    history,
    urls: fleet.urls,
    random,
    timeoutMs: TIMEOUT_MS,
    onAnswer: (answer) => wrong.push(...faultsOf(answer)),
  })
  const asking = repeat(() => sender.deliver([history.open(pick(places, random))], timeout.signal), {
    pauseMs: 100,
  })
  return {
    /** Refusals that are not what the contract says of them, in words. */
    wrong: wrong as readonly string[],
    /** Resolves when the last document was accepted, or after the time. */
    async finish(withinMs: number): Promise<void> {
      const timer = setTimeout(() => timeout.abort(), withinMs)
      await asking.stop()
      clearTimeout(timer)
      sender.close()
    },
  }
}

/** A refusal has a code of the table and says when to try again; anything else is a fault, in words. */
function faultsOf({ status, headers, body }: Answer): string[] {
  if (status < 400) return []
  const text = body.toString('utf8')
  const told = `${status} ${text.slice(0, 200)}`
  if (status !== 503 || !/"code":"(?:unavailable|overloaded|queue_full)"/.test(text)) return [told]
  return /^\d+$/.test(headers.get('retry-after') ?? '') ? [] : [`${told} without Retry-After`]
}
