/**
 * Tells that something happened in a scope: those who follow it where to look, and the dispatcher that there is work or
 * room. Said at most once every few milliseconds, because whoever hears it looks at everything there is.
 */
import type { Broker } from '../engine/broker.ts'
import type { Subjects } from '../engine/subjects.ts'

export interface Announcer {
  announce(tenantId: string, scopeId: string): void
  /** An announcement of another process. */
  hear(payload: string): void
}

/** Followers in this very process. */
export interface Listener {
  wake(tenantId: string, scopeId: string): void
}

const PAUSE_MS = 5

/** The news for the dispatcher: somebody brought work, or has room for more. The first is in a hurry. */
export type BacklogNews = 'work' | 'room'

export function createAnnouncer(
  broker: Broker,
  subjects: Subjects,
  news: BacklogNews,
  listener?: Listener,
): Announcer {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function hear(payload: string): void {
    const [tenantId, scopeId] = payload.split('/')
    if (tenantId && scopeId) listener?.wake(tenantId, scopeId)
  }

  function say(): void {
    timer = undefined
    // @point events.announce
    for (const place of waiting) {
      hear(place)
      broker.announce(subjects.scopeChanged, place)
    }
    waiting.clear()
    broker.announce(subjects.backlogChanged, news)
  }

  return {
    announce(tenantId, scopeId) {
      waiting.add(`${tenantId}/${scopeId}`)
      timer ??= setTimeout(say, PAUSE_MS)
    },
    hear,
  }
}
