import { operations } from '@concord/contract'
import type { EventFeed } from '../../app/events/event-feed.ts'
import { tenantStream } from '../route.ts'
import type { Route } from '../route.ts'
import { openScopeStream, positionOf } from '../scope-stream.ts'

export function streamOwnScopeEvents(feed: EventFeed): Route {
  return tenantStream(
    operations.streamOwnScopeEvents,
    async ({ who, params: { scopeId }, query, headers }) => {
      // Before the answer: what happens from then on must be in the stream.
      const head = await feed.headOf(who.tenantId, scopeId)
      const asked = positionOf(headers['last-event-id'], query.after)
      return openScopeStream(feed, who, scopeId, { asked, head })
    },
  )
}
