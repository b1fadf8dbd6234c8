import { afterAll, describe, expect, it } from 'vitest'
import { isTimeout } from '../../src/app/failures.ts'
import { createJobThread } from '../../src/hatchery/job-thread.ts'
import type { TestJob } from '../support/job-script.ts'
import { silentLog } from '../support/log.ts'

const thread = createJobThread<TestJob, unknown>({
  entry: new URL('../support/job-script.ts', import.meta.url),
  data: {},
  maxHeapMb: 64,
  maxJobMs: 3_000,
  idleMs: 60_000,
  log: silentLog,
})
afterAll(() => thread.stop())

const echo = (text: string) => thread.run({ kind: 'echo', bytes: Buffer.from(text) })

describe('a job thread', () => {
  it('does jobs in their order, with buffers as they were sent', async () => {
    expect(await Promise.all(['one', 'two'].map(echo))).toEqual(['one', 'two'])
  })

  it('tells errors with their code, and faults as faults', async () => {
    const error: unknown = await thread.run({ kind: 'code' }).catch((caught: unknown) => caught)
    expect(isTimeout(error)).toBe(true)
    await expect(thread.run({ kind: 'fault' })).rejects.toMatchObject({
      name: 'Fault',
      code: 'document_not_found',
    })
  })

  it('ends with a job that takes too long or too much memory, and the next one gets another', async () => {
    const lost = [thread.run({ kind: 'loop' }), thread.run({ kind: 'fill' })]
    const next = echo('after')
    expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await next).toBe('after')
  })

  it('blocks nobody while it works', async () => {
    const working = thread.run({ kind: 'loop' }).catch(() => 'ended')
    const started = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(await working).toBe('ended')
  })
})
