import { describe, expect, it } from 'vitest'
import { createMemoryLog } from '../../support/log.ts'
import { limitsOf, resultOf, shareSandbox, startSandbox, task, tell } from '../rig.ts'

/** The first pass is the only one, so that no test has to wait for a pool with low priority. */
const oneLook = limitsOf({ timeMs: 300, lookMs: 300 })
/** Memory decides and nothing else: a busy machine makes a task that fills its heap take long by the clock. */
const byMemory = {
  limits: limitsOf({ timeMs: 20_000, lookMs: 20_000 }),
  wallMs: { fast: 45_000, slow: 45_000 },
}

describe('a task that is read', () => {
  it('gives its result, exactly as the child returned it, and how long that took', async () => {
    const sandbox = await startSandbox<string>()
    const text = 'echo lone \ud800 surrogate, ünïcode, 漢字 and 🎈'
    const outcome = await sandbox.run(task(text))
    expect(outcome).toEqual({ kind: 'done', result: text, ms: expect.any(Number) })
  })

  it('may be longer than a pipe holds', async () => {
    const sandbox = await startSandbox<string>()
    const text = `echo ${'äb'.repeat(500_000)}`
    const outcome = await sandbox.run(task(text))
    expect(outcome.kind === 'done' && outcome.result === text).toBe(true)
  })

  it('is not failed for being slow while it keeps within its time', async () => {
    const sandbox = await startSandbox({ limits: limitsOf({ timeMs: 5_000, lookMs: 10 }) })
    const outcome = await sandbox.run(task('work 400'))
    expect(outcome).toMatchObject({ kind: 'done' })
    expect(sandbox.stats().failed).toEqual({ threw: 0, time_exceeded: 0, memory_exceeded: 0, crashed: 0 })
  })
})

describe('a task that goes wrong', () => {
  const shared = shareSandbox({ limits: oneLook })
  const cases = [
    ['throws', 'throw secret', 'threw', 'BadDocument was thrown while the document was read.'],
    [
      'throws what is no error',
      'throwText secret',
      'threw',
      'string was thrown while the document was read.',
    ],
    ['loops', 'loop', 'time_exceeded', 'The document was still being read after 300 ms.'],
    ['backtracks', 'redos', 'time_exceeded', 'The document was still being read after 300 ms.'],
    ['sleeps', 'sleep 20000', 'time_exceeded', 'The document was still being read after 300 ms.'],
    ['exits', 'exit 3', 'crashed', 'The reading process ended with exit code 3.'],
    ['aborts', 'abort', 'crashed', 'The reading process ended with signal SIGABRT.'],
    ['breaks the process', 'segfault', 'crashed', 'The reading process ended with signal SIGSEGV.'],
  ] as const
  it.each(cases)(
    'that %s fails for that reason and no other, on the first attempt as on the second',
    async (_, text, reason, detail) => {
      const sandbox = shared()
      const before = sandbox.stats().failed[reason]
      const expected = { kind: 'failed', reason, detail }
      expect(await sandbox.run(task(text))).toEqual(expected)
      expect(await sandbox.run(task(text, true))).toEqual(expected)
      expect(sandbox.stats().failed[reason]).toBe(before + 2)
      expect(await sandbox.run(task('measure'))).toMatchObject({ kind: 'done' })
    },
    60_000,
  )

  it('tells nothing of the document, neither in the outcome nor in the log', async () => {
    const { log, text } = createMemoryLog()
    const sandbox = await startSandbox({ log })
    const outcomes = await Promise.all(
      ['throw SECRET', 'throwText SECRET', 'exit 1 SECRET', 'abort 1 SECRET'].map((each) =>
        sandbox.run({ ...task(each), id: 'document-7' }),
      ),
    )
    expect(JSON.stringify(outcomes)).not.toContain('SECRET')
    expect(text()).not.toContain('SECRET')
    expect(text()).toContain('document-7')
  })
})

describe('a task that takes too much memory', () => {
  const shared = shareSandbox(byMemory)
  const message = 'Reading the document took more memory than 256 MB.'
  const cases = [
    ['a heap that grows', 'heap'],
    ['buffers that add up', 'buffers'],
    ['a buffer of 2 GB in one call', 'hugeBuffer 2000'],
    ['a buffer the kernel still grants', 'hugeBuffer 350'],
    ['a result of 20 MB', 'hugeResult 20'],
  ] as const
  it.each(cases)(
    'is stopped: %s',
    async (_, text) => {
      const sandbox = shared()
      const failed = { kind: 'failed', reason: 'memory_exceeded', detail: message }
      expect(await sandbox.run(task(text))).toEqual(failed)
      expect(await sandbox.run(task('measure'))).toMatchObject({ kind: 'done' })
    },
    60_000,
  )

  it('is stopped before it holds much more than it may', async () => {
    const { log, lines } = createMemoryLog()
    const sandbox = await startSandbox({ log, ...byMemory })
    await sandbox.run(task('hugeBuffer 350'))
    const peaks = lines().map(({ peak_mb: peak }) => Number(peak ?? 0))
    const peak = Math.max(...peaks)
    tell(`peak before the kill: ${peak} MB of 256 MB`)
    expect(peak).toBeGreaterThan(0)
    // The kernel refuses what goes beyond this, whoever looks or does not.
    expect(peak).toBeLessThan(256 + 400)
  }, 60_000)

  it('is not blamed for what the tasks before it left behind', async () => {
    const sandbox = await startSandbox()
    const outcomes = await Promise.all(Array.from({ length: 400 }, () => sandbox.run(task('creep 1000'))))
    expect(outcomes.filter(({ kind }) => kind === 'failed')).toEqual([])
    expect(sandbox.stats().killed.spent).toBeGreaterThan(0)
  }, 60_000)
})

describe('a child', () => {
  it('sees nothing of the environment, and gives way to others in the slow pool alone', async () => {
    const sandbox = await startSandbox<{ env: string[]; nice: number }>()
    const fast = resultOf(await sandbox.run(task('reveal')))
    const slow = resultOf(await sandbox.run(task('reveal', true)))
    // Two that the launch sets, and what the shell that sets the limits adds by itself.
    const ours = new Set(['NODE_COMPILE_CACHE', 'MALLOC_MMAP_THRESHOLD_', 'PWD', 'OLDPWD', 'SHLVL', '_'])
    expect(fast.env.filter((name) => !ours.has(name))).toEqual([])
    expect(slow.nice).toBe(10)
    expect(fast.nice).toBeLessThan(10)
  })
})
