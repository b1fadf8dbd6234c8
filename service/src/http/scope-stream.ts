/** The stream of a scope, as its tenant and its administrator open it. */
import type { EventFeed } from '../app/event-feed.ts'
import type { TenantCaller } from '../domain/caller.ts'
import { toEventFrame } from './cloud-event.ts'
import type { EventSource } from './route.ts'

/** Last-Event-ID counts more: a client that reconnects sends it while its address still carries the first position. */
export function positionOf(lastEventId: string | undefined, after: number | undefined): number | undefined {
  return lastEventId === undefined ? after : Number(lastEventId)
}

export function openScopeStream(
  feed: EventFeed,
  { tenantId }: TenantCaller,
  scopeId: string,
  after: number | undefined,
): EventSource {
  return (sink) =>
    feed.follow({
      tenantId,
      scopeId,
      after,
      signal: sink.signal,
      receive: (entries) => sink.send(entries.map((entry) => toEventFrame({ tenantId, scopeId }, entry))),
      resync: (head) => sink.send([{ event: 'resync', data: { head } }]),
    })
}
