/**
 * Announces changes of a scope to its followers, and new work or room to the dispatcher. The announcer sends at most
 * once every few milliseconds, because each receiver then reads everything that is new.
 */
import type { Broker } from '../engine/broker.ts'
import type { Subjects } from '../engine/subjects.ts'

export interface Announcer {
  announce(tenantId: string, scopeId: string): void
  /** Receives an announcement of another process. */
  receive(payload: string): void
}

/** Wakes the followers in this process. */
export interface Listener {
  wake(tenantId: string, scopeId: string): void
}

const PAUSE_MS = 5

/** The news for the dispatcher: new documents, or room in a worker. The first is more urgent. */
export type BacklogNews = 'work' | 'room'

export function createAnnouncer(
  broker: Broker,
  subjects: Subjects,
  news: BacklogNews,
  listener?: Listener,
): Announcer {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function receive(payload: string): void {
    const [tenantId, scopeId] = payload.split('/')
    if (tenantId && scopeId) listener?.wake(tenantId, scopeId)
  }

  function send(): void {
    timer = undefined
    // @point events.announce
    for (const scope of waiting) {
      receive(scope)
      broker.announce(subjects.scopeChanged, scope)
    }
    waiting.clear()
    broker.announce(subjects.backlogChanged, news)
  }

  return {
    announce(tenantId, scopeId) {
      waiting.add(`${tenantId}/${scopeId}`)
      timer ??= setTimeout(send, PAUSE_MS)
    },
    receive,
  }
}
