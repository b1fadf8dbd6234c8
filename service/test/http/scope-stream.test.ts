import { describe, expect, it } from 'vitest'
import type { EventFeed, LogEntry } from '../../src/app/events/event-feed.ts'
import type { EventFrame, PositionFrame } from '../../src/http/route.ts'
import { openScopeStream, positionOf } from '../../src/http/scope-stream.ts'

describe('where a stream begins', () => {
  it('is said by the address, unless a client that comes back says it better', () => {
    expect(positionOf(undefined, undefined)).toBeUndefined()
    expect(positionOf(undefined, 7)).toBe(7)
    expect(positionOf('9', 7)).toBe(9)
    expect(positionOf('0', 7)).toBe(0)
  })
})

describe('the stream of a scope', () => {
  const who = { tier: 'tenant' as const, actor: 'ck_t_x', tenantId: '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66' }

  it('follows that scope of the caller alone, and passes on what it hears as frames', async () => {
    const entry: LogEntry = {
      seq: 5,
      epoch: 0,
      kind: 'k',
      documentId: null,
      version: null,
      data: {},
      at: new Date(0),
    }
    const sent: (EventFrame | PositionFrame)[] = []
    const followed: unknown[] = []
    const feed: Pick<EventFeed, 'follow'> = {
      async follow({ receive, resync, tenantId, scopeId, after }) {
        followed.push({ tenantId, scopeId, after })
        await resync(4)
        await receive([entry])
      },
    }
    const sink = {
      signal: new AbortController().signal,
      send: async (frames: readonly (EventFrame | PositionFrame)[]) => void sent.push(...frames),
    }
    await openScopeStream(feed as EventFeed, who, 'default', { asked: 3, head: 9 })(sink)
    expect(followed).toEqual([{ tenantId: who.tenantId, scopeId: 'default', after: 3 }])
    const told = [{ event: 'resync', data: { head: 4 } }, expect.objectContaining({ id: '5', event: 'k' })]
    expect(sent.splice(0)).toEqual(told)
    // Nobody knows where it begins but the service, which says so first.
    await openScopeStream(feed as EventFeed, who, 'default', { asked: undefined, head: 9 })(sink)
    expect(followed[1]).toMatchObject({ after: 9 })
    expect(sent).toEqual([{ id: '9' }, ...told])
  })
})
