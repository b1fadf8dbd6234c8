/** The stream of a scope, as its tenant and its administrator open it. */
import type { EventFeed } from '../app/events/event-feed.ts'
import type { TenantCaller } from '../domain/caller.ts'
import { toEventFrame } from './cloud-event.ts'
import type { EventSource } from './route.ts'

/** Last-Event-ID counts more: a client that reconnects sends it while its address still carries the first position. */
export function positionOf(lastEventId: string | undefined, after: number | undefined): number | undefined {
  return lastEventId === undefined ? after : Number(lastEventId)
}

export interface Beginning {
  /** The position that the client sent. */
  readonly asked: number | undefined
  /** Where the log ends. */
  readonly head: number
}

export function openScopeStream(
  feed: EventFeed,
  { tenantId }: TenantCaller,
  scopeId: string,
  { asked, head }: Beginning,
): EventSource {
  return async (sink) => {
    // A client that is cut off before the first event must know after what to go on.
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
