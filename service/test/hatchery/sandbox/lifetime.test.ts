import { describe, expect, it } from 'vitest'
import { isAlive, startChild, waitUntil } from '@concord/tools/launch'
import { createSandbox } from '../../../src/hatchery/sandbox.ts'
import { createMemoryLog, silentLog } from '../../support/log.ts'
import { limitsOf, livingChildren, pidOf, startSandbox, task, tell } from '../rig.ts'

const limits = limitsOf({ timeMs: 300, lookMs: 10 })
/** A child that loops goes on looping. */
const endless = limitsOf({ timeMs: 600_000, lookMs: 600_000 })

describe('stopping', () => {
  it('ends every child, a looping one too, and what was in hand or waiting is told so', async () => {
    const sandbox = await startSandbox({ limits: endless })
    const unfinished = [false, true, true, false].map((failedBefore) =>
      sandbox.run(task('loop', failedBefore)),
    )
    await waitUntil(() => sandbox.stats().busy === 2, { what: 'both pools are busy' })
    expect(livingChildren()).toHaveLength(3)
    await Promise.all([
      sandbox.stop(),
      ...unfinished.map((each) => expect(each).rejects.toThrow('The sandbox stopped before')),
    ])
    expect(livingChildren()).toEqual([])
    await sandbox.stop()
  })

  it('leaves nothing that would take another task', async () => {
    const sandbox = await startSandbox()
    await sandbox.stop()
    await expect(sandbox.run(task('measure'))).rejects.toThrow('The sandbox is not running')
  })
})

describe('a parent that is killed', () => {
  it('leaves no child behind, not even a looping one, for longer than three seconds', async () => {
    const host = startChild({
      command: process.execPath,
      args: [new URL('../children/host.ts', import.meta.url).pathname],
      env: {},
    })
    const told = await waitUntil(() => host.stdout() || undefined, { what: 'the host is up' })
    const pids = JSON.parse(told) as number[]
    expect(pids.map(isAlive)).toEqual([true, true])
    host.signal('SIGKILL')
    await host.exited
    const killed = performance.now()
    await waitUntil(() => !pids.some(isAlive), {
      what: 'the last child is gone',
      withinMs: 3_000,
      everyMs: 10,
    })
    tell(`the last child was gone ${(performance.now() - killed).toFixed(0)} ms after its parent`)
  }, 60_000)
})

describe('a child that cannot start', () => {
  it('makes the start fail with what it said, and nothing is left', async () => {
    const sandbox = createSandbox({
      entry: new URL('./no-such-child.ts', import.meta.url),
      size: 1,
      slowSize: 1,
      othersAfterMs: 0,
      limits,
      maxWaiting: 100,
      quietMs: 600_000,
      decode: () => undefined,
      log: silentLog,
    })
    await expect(sandbox.start()).rejects.toThrow(/ended with exit code 1 at its start[^]*no-such-child/)
    expect(livingChildren()).toEqual([])
  })
})

describe('an aborted task', () => {
  it('is given up at once while it waits, and never read', async () => {
    const sandbox = await startSandbox({ limits: endless })
    const first = new AbortController()
    const second = new AbortController()
    const inFlight = sandbox.run(task('loop', true), { signal: first.signal })
    await waitUntil(() => sandbox.stats().busy === 1, { what: 'the slow pool is busy' })
    const waiting = sandbox.run(task('exit 9', true), { signal: second.signal })
    expect(sandbox.stats()).toMatchObject({ waiting: 1, waitingSlow: 1 })
    second.abort(new Error('not needed'))
    await expect(waiting).rejects.toThrow('not needed')
    expect(sandbox.stats()).toMatchObject({ waiting: 0, waitingSlow: 0 })
    first.abort(new Error('not needed either'))
    await expect(inFlight).rejects.toThrow('not needed either')
  })

  it('ends the child that is reading it in the slow pool, and the next one is read by another', async () => {
    const sandbox = await startSandbox({ limits: endless })
    const pid = pidOf(await sandbox.run(task('measure', true)))
    const abort = new AbortController()
    const running = sandbox.run(task('loop', true), { signal: abort.signal })
    await waitUntil(() => sandbox.stats().busy === 1, { what: 'the slow pool is busy' })
    abort.abort(new Error('the runtime stops'))
    await expect(running).rejects.toThrow('the runtime stops')
    expect(pidOf(await sandbox.run(task('measure', true)))).not.toBe(pid)
    expect(isAlive(pid)).toBe(false)
    expect(sandbox.stats()).toMatchObject({ restarts: 1, killed: { aborted: 1 } })
  })

  it('is refused when the signal was there before', async () => {
    const sandbox = await startSandbox()
    await expect(
      sandbox.run(task('measure'), { signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late')
  })
})

describe('a sandbox that is recycled', () => {
  it('has other children, and reads what the old ones had in hand all the same', async () => {
    const sandbox = await startSandbox()
    const before = pidOf(await sandbox.run(task('measure')))
    const reading = sandbox.run(task('work 30', true))
    sandbox.recycle()
    expect(await reading).toMatchObject({ kind: 'done' })
    expect(pidOf(await sandbox.run(task('measure')))).not.toBe(before)
    expect(sandbox.stats().killed.recycled).toBeGreaterThanOrEqual(2)
  })
})

describe('the spare of the fast pool', () => {
  it('helps the slow one out while nobody wants the fast one, and is given up with what it reads', async () => {
    const sandbox = await startSandbox({ limits: endless, quietMs: 50 })
    const first = sandbox.run(task('loop', true)).catch(() => undefined)
    const second = new AbortController()
    const helped = sandbox.run(task('loop', true), { signal: second.signal })
    await waitUntil(() => sandbox.stats().busy === 2, { what: 'the spare has the second' })
    expect(await sandbox.run(task('measure'))).toMatchObject({ kind: 'done' })
    second.abort(new Error('not needed'))
    await expect(helped).rejects.toThrow('not needed')
    await waitUntil(() => sandbox.stats().restarts === 1, { what: 'the spare is replaced' })
    await sandbox.stop()
    await first
  })

  it('leaves it alone otherwise', async () => {
    const sandbox = await startSandbox({ limits: endless, quietMs: 400 })
    void sandbox.run(task('loop', true)).catch(() => undefined)
    void sandbox.run(task('loop', true)).catch(() => undefined)
    await waitUntil(() => sandbox.stats().busy === 1, { what: 'the slow pool is busy', everyMs: 1 })
    const until = performance.now() + 1_000
    while (performance.now() < until) {
      await sandbox.run(task('measure'))
      expect(sandbox.stats().waitingSlow).toBe(1)
    }
  })
})

describe('stats', () => {
  it('count what is alive, what waits and what went wrong', async () => {
    const sandbox = await startSandbox()
    await waitUntil(() => sandbox.stats().children === 3, {
      what: 'one child, its spare and a slow one are up',
    })
    expect(sandbox.stats()).toMatchObject({ children: 3, busy: 0, waiting: 0, restarts: 0, interrupted: 0 })
    const all = [...Array.from({ length: 20 }, () => 'work 2'), 'throw', 'exit 1'].map((text) =>
      sandbox.run(task(text)),
    )
    expect(sandbox.stats().waiting).toBe(22)
    await Promise.all(all)
    await waitUntil(() => sandbox.stats().children === 3, { what: 'the lost child is replaced' })
    expect(sandbox.stats()).toMatchObject({
      busy: 0,
      waiting: 0,
      restarts: 1,
      failed: { threw: 1, crashed: 1, time_exceeded: 0, memory_exceeded: 0 },
    })
  })

  it('name the reason of every kill, in the log as well', async () => {
    const { log, lines } = createMemoryLog()
    const sandbox = await startSandbox({ log, limits: endless })
    await sandbox.run(task('hugeBuffer 350', true))
    const { killed } = sandbox.stats()
    expect(killed.memory_exceeded).toBe(1)
    expect(lines()).toContainEqual(
      expect.objectContaining({ pool: 'slow', reason: 'memory_exceeded', task: 'hugeBuffer 350' }),
    )
  }, 60_000)
})
