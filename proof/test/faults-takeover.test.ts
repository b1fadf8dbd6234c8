/** How long a document waited for another worker, and who was there to take it. */
import type { Child } from '@concord/tools/launch'
import { describe, expect, test } from 'vitest'
import { servedMs } from '../harness/presence.ts'
import { findTakeovers, holdersIn } from '../proofs/kill/takeover.ts'

describe('a takeover', () => {
  const claim = (attempt: number, at: number) => ({ document: 'd', attempt, at })

  test('is the time from the kill to the next claim', () => {
    expect(findTakeovers([claim(1, 100), claim(2, 9_100)], [50, 1_100])).toEqual([
      { document: 'd', killedAt: 1_100, ms: 8_000 },
    ])
  })

  test('counts from the first kill after the claim, which can only make it longer', () => {
    expect(findTakeovers([claim(1, 100), claim(2, 9_100)], [3_000, 200])[0]?.ms).toBe(8_900)
  })

  test('is none where no worker was killed between the claims', () => {
    expect(findTakeovers([claim(1, 100), claim(2, 9_100)], [50, 9_200])).toEqual([])
  })

  test('counts from the kill of the worker that had it, where that is known', () => {
    const claims = [claim(1, 100), claim(2, 9_100)]
    expect(findTakeovers(claims, [200, 5_000], () => ({ killedAt: 5_000 }))[0]?.ms).toBe(4_100)
    expect(findTakeovers(claims, [200], () => ({ killedAt: undefined }))).toEqual([])
    expect(findTakeovers(claims, [200], () => ({ killedAt: 9_500 }))).toEqual([])
  })

  test('knows the worker from what it wrote', () => {
    const noted = { ticket: '17', attempt: 2, msg: 'claimed' }
    const output = () => `${JSON.stringify(noted)}\nno line of its own "msg":"claimed"\n`
    const life = { child: { output } as Child, killedAt: 7 }
    const holderOf = holdersIn([life], new Map([['17', 't/s/d']]))
    expect(holderOf({ document: 't/s/d/1', attempt: 2, at: 0 })).toBe(life)
    expect(holderOf({ document: 't/s/d/1', attempt: 1, at: 0 })).toBeUndefined()
  })

  test('is found for every further claim of a document', () => {
    expect(findTakeovers([claim(3, 30), claim(1, 10), claim(2, 20)], [11, 25])).toHaveLength(2)
  })
})

describe('the time in which somebody could take over', () => {
  const change = (at: number, name: string, present: boolean) => ({ at, name, present })
  const worker = change(0, 'worker 1', true)

  test('is all of it while a worker and both servers are there', () => {
    expect(servedMs([worker], 100, 600)).toBe(500)
  })

  test('leaves out what passes without a worker', () => {
    const changes = [worker, change(200, 'worker 1', false), change(500, 'worker 2', true)]
    expect(servedMs(changes, 100, 600)).toBe(200)
  })

  test('goes on while one of several workers is there', () => {
    const changes = [worker, change(1, 'worker 2', true), change(200, 'worker 1', false)]
    expect(servedMs(changes, 100, 600)).toBe(500)
  })

  test('leaves out what passes without a server', () => {
    for (const server of ['postgres', 'nats']) {
      const changes = [worker, change(150, server, false), change(250, server, true)]
      expect(servedMs(changes, 100, 600)).toBe(400)
    }
  })

  test('is not extended by other roles', () => {
    expect(servedMs([change(0, 'api 1', true), change(0, 'dispatcher 1', true)], 100, 600)).toBe(0)
  })
})
