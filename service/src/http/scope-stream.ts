/** Opens the event stream of a scope, for its tenant or for an administrator. */
import type { EventFeed } from '../app/events/event-feed.ts'
import type { TenantCaller } from '../domain/caller.ts'
import { toEventFrame } from './cloud-event.ts'
import type { EventSource } from './route.ts'

/** Last-Event-ID takes precedence: a reconnecting client sends it, while its URL still has the first position. */
export function positionOf(lastEventId: string | undefined, after: number | undefined): number | undefined {
  return lastEventId === undefined ? after : Number(lastEventId)
}

export interface Beginning {
  /** The position that the client sent. */
  readonly asked: number | undefined
  /** The last position of the log. */
  readonly head: number
}

export function openScopeStream(
  feed: EventFeed,
  { tenantId }: TenantCaller,
  scopeId: string,
  { asked, head }: Beginning,
): EventSource {
  return async (sink) => {
    // A client that is disconnected before the first event needs the position to resume from.
    if (asked === undefined) await sink.send([{ id: String(head) }])
    await feed.follow({
      tenantId,
      scopeId,
      after: asked ?? head,
      signal: sink.signal,
      receive: (entries) => sink.send(entries.map((entry) => toEventFrame({ tenantId, scopeId }, entry))),
      resync: (newHead) => sink.send([{ event: 'resync', data: { head: newHead } }]),
    })
  }
}
