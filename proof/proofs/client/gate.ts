/** A gate between the client and the APIs: sends each request to one that serves now, and knows who holds the stream. */
import type { Member } from '../../harness/member.ts'
import { pick } from '../../harness/statistics.ts'
import type { FaultStage } from '../../harness/stage.ts'

export interface Gate {
  readonly fetch: typeof fetch
  /** Whether the last stream that was opened is open at this one. */
  isStreamOf(member: Member): boolean
  /** Requests that were under way when what they went to died. */
  broken(): number
}

export function openGate({ fleet, random }: FaultStage): Gate {
  let holder: string | undefined
  let broken = 0
  return {
    async fetch(input, init) {
      const url = pick(fleet.urls(), random)
      if (url === undefined) throw new TypeError('No API serves at this moment.')
      const asked = new URL(input instanceof Request ? input.url : input)
      try {
        const answer = await fetch(`${url}${asked.pathname}${asked.search}`, init)
        if (answer.headers.get('content-type')?.startsWith('text/event-stream')) holder = url
        return answer
      } catch (error) {
        broken += 1
        throw error
      }
    },
    isStreamOf(member) {
      const child = member.process()
      return child !== undefined && 'url' in child && child.url === holder
    },
    broken: () => broken,
  }
}
