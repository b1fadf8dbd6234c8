/** A stream goes on by itself at its position, and says what it cannot mend. */
import { describe, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import type { ClientOptions, Concord } from '../src/index.ts'
import { cut, events, frame, problem, serve } from './support/scripted-server.ts'
import type { ScriptedReply } from './support/scripted-server.ts'

function clientOf(url: string, options: Partial<ClientOptions> = {}): Concord {
  return createClient({
    baseUrl: url,
    tenantId: 't',
    tenantKey: 'k',
    internalsKey: 'i',
    retry: { baseMs: 1, attempts: 3 },
    ...options,
  })
}

const soon = 'retry: 5\n\n'

/** The positions of the first few events. */
async function take(stream: AsyncIterable<{ readonly type: string }>, count: number): Promise<unknown[]> {
  const taken: unknown[] = []
  for await (const event of stream) {
    taken.push('id' in event ? Number(event.id) : event)
    if (taken.length === count) break
  }
  return taken
}

describe('a stream that is lost', () => {
  it.each(['end', 'cut'] as const)('goes on after the last event that was whole (%s)', async (how) => {
    const half = frame(3).slice(0, 30)
    const server = await serve(
      events(`${soon}${frame(1)}${frame(2)}${half}`, how),
      events(frame(3) + frame(4)),
    )
    const lost: unknown[] = []
    const stream = clientOf(server.url).streamOwnScopeEvents(
      { scopeId: 'first-case', after: 0 },
      { onReconnect: (position) => lost.push(position) },
    )
    expect(await take(stream, 4)).toEqual([1, 2, 3, 4])
    expect(server.asked.map(({ headers }) => headers['last-event-id'])).toEqual(['0', '2'])
    expect(lost).toEqual(['2'])
    expect(stream.position).toBe('4')
  })

  it('goes on where it began when nothing had come yet', async () => {
    const server = await serve(events(`${soon}id: 26\n\n`, 'end'), events(frame(27)))
    expect(await take(clientOf(server.url).streamOwnScopeEvents({ scopeId: 'first-case' }), 1)).toEqual([27])
    expect(server.asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '26'])
  })

  it('is tried for as long as it takes, whatever stands in its way', async () => {
    const away: ScriptedReply[] = [
      cut,
      problem(503, 'unavailable'),
      problem(429, 'too_many_streams'),
      cut,
      cut,
      cut,
    ]
    const server = await serve(events(soon + frame(1), 'end'), ...away, events(frame(2)))
    expect(
      await take(clientOf(server.url).streamOwnScopeEvents({ scopeId: 'first-case', after: 0 }), 2),
    ).toEqual([1, 2])
    expect(server.asked).toHaveLength(8)
  })

  it('is taken for lost when nothing came for too long', async () => {
    const server = await serve(events(soon + frame(1)), events(frame(2)))
    const concord = clientOf(server.url, { streamSilenceMs: 60 })
    expect(await take(concord.streamOwnScopeEvents({ scopeId: 'first-case', after: 0 }), 2)).toEqual([1, 2])
  })

  it('is not taken for lost while signs of life come, nor while its reader is busy', async () => {
    const alive: ScriptedReply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(frame(1))
      const timer = setInterval(() => response.write(': alive\n\n'), 20)
      setTimeout(() => response.write(frame(2)), 300)
      response.on('close', () => clearInterval(timer))
    }
    const server = await serve(alive)
    const stream = clientOf(server.url, { streamSilenceMs: 150 }).streamOwnScopeEvents({
      scopeId: 'first-case',
      after: 0,
    })
    const seen: string[] = []
    for await (const event of stream) {
      seen.push(event.type)
      if (seen.length === 2) break
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(server.asked).toHaveLength(1)
  })
})

describe('a stream that cannot go on', () => {
  it('throws the problem, such as a key that was revoked', async () => {
    const server = await serve(events(soon + frame(1), 'end'), problem(401, 'credential_revoked'))
    const stream = clientOf(server.url).streamOwnScopeEvents({ scopeId: 'first-case', after: 0 })
    await expect(take(stream, 2)).rejects.toMatchObject({ code: 'credential_revoked' })
  })

  it('throws at first when nobody answers, instead of trying for ever', async () => {
    const server = await serve(cut)
    await expect(
      take(clientOf(server.url).streamOwnScopeEvents({ scopeId: 'first-case' }), 1),
    ).rejects.toThrow('could not be reached')
    expect(server.asked).toHaveLength(3)
  })

  it('hands on a notice when its position is gone, and goes on after the head that it names', async () => {
    const notice = 'event: resync\ndata: {"head":26}\n\n'
    const server = await serve(events(soon + notice, 'end'), events(frame(27)))
    const taken = await take(
      clientOf(server.url).streamOwnScopeEvents({ scopeId: 'first-case', after: 99 }),
      2,
    )
    expect(taken).toEqual([{ type: 'resync', head: 26 }, 27])
    expect(server.asked[1]?.headers['last-event-id']).toBe('26')
  })
})

describe('a reader that leaves', () => {
  it('closes the connection', async () => {
    let closed: (() => void) | undefined
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const server = await serve((response) => {
      response.on('close', () => closed?.())
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(frame(1))
    })
    await take(clientOf(server.url).streamOwnScopeEvents({ scopeId: 'first-case', after: 0 }), 1)
    await expect(gone).resolves.toBeUndefined()
  })

  it('ends quietly by close, and with its reason by a signal', async () => {
    const server = await serve(events(frame(1)))
    const concord = clientOf(server.url)
    const stream = concord.streamOwnScopeEvents({ scopeId: 'first-case', after: 0 })
    await stream.next()
    const waiting = stream.next()
    stream.close()
    expect(await waiting).toEqual({ done: true, value: undefined })
    const leaving = new AbortController()
    const other = concord.streamOwnScopeEvents(
      { scopeId: 'first-case', after: 0 },
      { signal: leaving.signal },
    )
    await other.next()
    const refused = other.next()
    leaving.abort(new Error('enough'))
    await expect(refused).rejects.toThrow('enough')
  })

  it('of all scopes goes on by opaque positions', async () => {
    const position = '76339.a31e9434-d44e-477e-b953-b9f44702913e.24.first-case'
    const server = await serve(events(soon + frame(position), 'end'), events(frame('76340.x')))
    const stream = clientOf(server.url).streamKernelEvents()
    await stream.next()
    expect(stream.position).toBe(position)
    await stream.next()
    expect(server.asked[1]?.headers['last-event-id']).toBe(position)
    await stream.return?.()
  })
})
