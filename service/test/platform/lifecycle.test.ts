import { describe, expect, it } from 'vitest'
import { startAll } from '../../src/platform/lifecycle.ts'
import type { Part } from '../../src/platform/lifecycle.ts'
import { createMemoryLog, silentLog } from '../support/log.ts'

/** Parts that write down what happens to them. */
function recorded(names: readonly string[], changes: Readonly<Record<string, Partial<Part>>> = {}) {
  const events: string[] = []
  const parts = names.map((name): Part => ({
    name,
    start: async () => void events.push(`+${name}`),
    stop: async () => void events.push(`-${name}`),
    ...changes[name],
  }))
  return { events, parts }
}

const fails = async () => {
  throw new Error('no room')
}

describe('startAll', () => {
  it('starts parts in order, each after the one before is up, and stops them in the opposite order', async () => {
    const { events, parts } = recorded(['database', 'broker', 'listener'])
    const running = await startAll(parts, silentLog)
    expect(events).toEqual(['+database', '+broker', '+listener'])
    await running.stop()
    expect(events.slice(3)).toEqual(['-listener', '-broker', '-database'])
  })

  it('does not start a part before the one before has finished starting', async () => {
    let finish: () => void = () => undefined
    const { events, parts } = recorded(['database', 'listener'], {
      database: { start: () => new Promise<void>((resolve) => (finish = resolve)) },
    })
    const starting = startAll(parts, silentLog)
    await new Promise(setImmediate)
    expect(events).toEqual([])
    finish()
    await starting
    expect(events).toEqual(['+listener'])
  })

  it('stops once, however often it is asked', async () => {
    const { events, parts } = recorded(['database', 'listener'])
    const running = await startAll(parts, silentLog)
    await Promise.all([running.stop(), running.stop()])
    await running.stop()
    expect(events.slice(2)).toEqual(['-listener', '-database'])
  })
})

describe('a part that fails to start', () => {
  it('makes the start fail with its name and cause', async () => {
    const { parts } = recorded(['database', 'listener'], { listener: { start: fails } })
    await expect(startAll(parts, silentLog)).rejects.toMatchObject({
      message: 'listener did not start',
      cause: expect.objectContaining({ message: 'no room' }),
    })
  })

  it('is stopped together with those before it, and those after it are never started', async () => {
    const { events, parts } = recorded(['database', 'broker', 'listener', 'drain'], {
      listener: { start: fails },
    })
    await expect(startAll(parts, silentLog)).rejects.toThrow('listener did not start')
    expect(events).toEqual(['+database', '+broker', '-listener', '-broker', '-database'])
  })
})

describe('a part that does not stop well', () => {
  it('does not keep the others from stopping when it fails, and is named in the log', async () => {
    const { events, parts } = recorded(['database', 'broker', 'listener'], { broker: { stop: fails } })
    const { log, lines } = createMemoryLog()
    await (await startAll(parts, log)).stop()
    expect(events.slice(3)).toEqual(['-listener', '-database'])
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'error', part: 'broker' }))
  })

  it('does not keep the others from stopping when it is overdue, and is named in the log', async () => {
    const { events, parts } = recorded(['database', 'listener'], {
      listener: { stop: () => new Promise(() => undefined), stopWithinMs: 20 },
    })
    const { log, lines } = createMemoryLog()
    await (await startAll(parts, log)).stop()
    expect(events.slice(2)).toEqual(['-database'])
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'warn', part: 'listener' }))
  })
})
