import { describe, expect, it } from 'vitest'
import { createSharedCalls } from '../../src/platform/shared-calls.ts'

function setUp() {
  const calls = createSharedCalls<string>()
  const made: { readonly signal: AbortSignal; readonly end: (result: string) => void }[] = []
  const make = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      made.push({ signal, end: resolve })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { calls, made, make }
}

describe('calls that several callers want', () => {
  it('are made once at a time, and anew when they have ended', async () => {
    const { calls, made, make } = setUp()
    const both = Promise.all([calls.join('a', make), calls.join('a', make)])
    made[0]?.end('first')
    expect(await both).toEqual(['first', 'first'])
    expect(calls.size()).toBe(0)
    const next = calls.join('a', make)
    made[1]?.end('second')
    expect(await next).toBe('second')
    expect(made).toHaveLength(2)
  })

  it('are not shared by callers who want something else', async () => {
    const { calls, made, make } = setUp()
    const both = Promise.all([calls.join('a', make), calls.join('b', make)])
    for (const [no, call] of made.entries()) call.end(`result ${no}`)
    expect(await both).toEqual(['result 0', 'result 1'])
  })

  it('go on while a caller is left, and are aborted when the last one leaves', async () => {
    const { calls, made, make } = setUp()
    const [one, other] = [new AbortController(), new AbortController()]
    const left = calls.join('a', make, one.signal)
    const stays = calls.join('a', make, other.signal)
    one.abort(new Error('enough'))
    await expect(left).rejects.toThrow('enough')
    expect(made[0]?.signal.aborted).toBe(false)
    other.abort(new Error('enough too'))
    await expect(stays).rejects.toThrow('enough too')
    expect(made[0]?.signal.aborted).toBe(true)
    expect(calls.size()).toBe(0)
  })

  it('fail for all callers', async () => {
    const { calls } = setUp()
    const fail = () => Promise.reject(new Error('away'))
    const ends = await Promise.allSettled([calls.join('a', fail), calls.join('a', fail)])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('are not made for a caller who has left already', async () => {
    const { calls, made, make } = setUp()
    await expect(calls.join('a', make, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(made).toEqual([])
  })
})
