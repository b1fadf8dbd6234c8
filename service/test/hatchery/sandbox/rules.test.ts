import { describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { openGauge, openPsGauge } from '../../../src/hatchery/sandbox/gauge.ts'
import { codes } from '../../../src/hatchery/sandbox/frames.ts'
import { allowanceOf, budgetOf, createJob, timeOf } from '../../../src/hatchery/sandbox/job.ts'
import { createMeter } from '../../../src/hatchery/sandbox/meter.ts'
import { createQueue } from '../../../src/hatchery/sandbox/queue.ts'
import { createThrottle } from '../../../src/hatchery/sandbox/throttle.ts'
import { verdictOnAnswer, verdictOnOverrun } from '../../../src/hatchery/sandbox/verdict.ts'
import { createJobQueue } from '../../../src/hatchery/sandbox/job-queue.ts'

const limits = { timeMs: 1_000, sliceMs: 300, memoryMb: 256 }

function job(length: number, failedBefore = false) {
  const { job: first, outcome } = createJob<unknown>({
    id: `${length}`,
    text: 'x'.repeat(length),
    failedBefore,
  })
  outcome.catch(() => undefined)
  return first
}

describe('a task', () => {
  it('may take as long as its length makes plausible, and at least a twentieth of the maximum', () => {
    expect([10, 10_000, 50_000, 200_000].map((length) => timeOf(job(length).task, limits))).toEqual([
      50, 100, 500, 1_000,
    ])
  })

  it('gets its share of the slice in the first pass, and its full time in the second', () => {
    const first = [200, 2_000, 50_000, 500_000].map((length) => budgetOf(job(length), limits))
    expect(first).toEqual([3, 6, 150, 300])
    expect([2_000, 50_000].map((length) => budgetOf(job(length).secondPass(), limits))).toEqual([50, 500])
    expect(budgetOf(job(2_000), { ...limits, timeMs: 100 })).toBe(5)
  })

  it('gets more time in a child whose code is not yet compiled, up to a limit and to its full time', () => {
    expect(allowanceOf(job(2_000), limits, 0)).toBe(24)
    expect(allowanceOf(job(2_000), limits, 50)).toBe(6)
    expect(allowanceOf(job(100_000), limits, 0)).toBe(400)
    expect(allowanceOf(job(2_000).secondPass(), limits, 0)).toBe(50)
    expect(allowanceOf(job(2_000), { ...limits, timeMs: 400 }, 0)).toBe(20)
  })

  it('is read in the slow pool if it failed before or needs longer', () => {
    expect(job(10).pool).toBe('fast')
    expect(job(10).secondPass().pool).toBe('slow')
    expect(job(10, true).pool).toBe('slow')
  })
})

describe('a task that overran', () => {
  it('in its first pass gets a second pass', () => {
    expect(verdictOnOverrun(job(10), limits)).toEqual({ kind: 'second pass' })
  })

  it('in its second pass has failed', () => {
    const detail = 'The document was still being read after 50 ms.'
    const failed = { kind: 'failed', reason: 'time_exceeded', detail }
    expect(verdictOnOverrun(job(10).secondPass(), limits)).toEqual(failed)
    expect(verdictOnOverrun(job(10, true), limits)).toEqual(failed)
  })
})

describe('an invalid answer', () => {
  it('fails its task and throws nothing', () => {
    const decode = () => {
      throw new Error('no sense')
    }
    const answer = { code: codes.done, ms: 1, body: Buffer.from('?') }
    const verdict = verdictOnAnswer(job(10), answer, { limits, decode })
    expect(verdict).toMatchObject({ kind: 'failed', reason: 'crashed' })
  })
})

describe('waiting', () => {
  it('uses one queue for each pool, and a job that comes back goes first', () => {
    const waiting = createJobQueue<unknown>()
    const [first, second, slow] = [job(1), job(2), job(3, true)]
    waiting.add(first)
    waiting.add(slow)
    waiting.putBack(second)
    expect([waiting.count('fast'), waiting.count('slow')]).toEqual([2, 1])
    expect(waiting.take('fast')).toBe(second)
    expect(waiting.take('fast')).toBe(first)
    expect(waiting.take('fast')).toBeUndefined()
    expect(waiting.take('slow')).toBe(slow)
  })
})

describe('waiting for the fast pool', () => {
  it('priority jobs pass the others, in the order in which they came', () => {
    const waiting = createJobQueue<unknown>()
    const [common, ...hurried] = [false, true, true].map(
      (priority) => createJob({ id: '1', text: 'a', failedBefore: false, priority }).job,
    )
    for (const each of [common, ...hurried]) if (each) waiting.add(each)
    expect(waiting.count('fast')).toBe(3)
    expect([1, 2, 3].map(() => waiting.take('fast'))).toEqual([...hurried, common])
    expect(waiting.take('fast')).toBeUndefined()
  })
})

describe('waiting for the fast pool with a long text', () => {
  it('short priority texts pass it, and it passes texts without priority', () => {
    const waiting = createJobQueue<unknown>()
    const jobOf = (text: string, priority: boolean) =>
      createJob({ id: '1', text, failedBefore: false, priority }).job
    const common = jobOf('a', false)
    const long = jobOf('a'.repeat(20_000), true)
    const short = jobOf('a', true)
    for (const each of [common, long, short]) waiting.add(each)
    expect([1, 2, 3].map(() => waiting.take('fast'))).toEqual([short, long, common])
  })

  it('the spare child takes only short priority texts', () => {
    const waiting = createJobQueue<unknown>()
    const jobOf = (text: string, priority: boolean) =>
      createJob({ id: '1', text, failedBefore: false, priority }).job
    const short = jobOf('a', true)
    for (const each of [jobOf('a', false), jobOf('a'.repeat(20_000), true), short]) waiting.add(each)
    expect([1, 2].map(() => waiting.takeShortPriority())).toEqual([short, undefined])
  })
})

describe('waiting for the slow pool', () => {
  it('those that never failed before go first', () => {
    const waiting = createJobQueue<unknown>()
    const [failed, unlucky] = [job(1, true), job(2).secondPass()]
    waiting.add(failed)
    waiting.add(unlucky)
    expect(waiting.count('slow')).toBe(2)
    expect(waiting.take('slow')).toBe(unlucky)
    expect(waiting.take('slow')).toBe(failed)
    expect(waiting.take('slow')).toBeUndefined()
  })
})

describe('a queue', () => {
  it('keeps the order, puts returned jobs first and skips jobs that are over', () => {
    const queue = createQueue<ReturnType<typeof job>>()
    const jobs = Array.from({ length: 3_000 }, () => job(1))
    const [back, ...rest] = jobs
    for (const each of rest) queue.add(each)
    if (back) queue.putBack(back)
    rest[0]?.abandon(undefined)
    expect(queue.size()).toBe(2_999)
    const taken = Array.from({ length: 2_999 }, () => queue.take())
    expect(taken).toEqual([back, ...rest.slice(1)])
    expect(queue.take()).toBeUndefined()
  })
})

describe('a meter', () => {
  function metered(states: readonly { ranMs: number; blocked?: boolean }[], tickMs = 25) {
    let turn = -1
    const state = () => states[turn] ?? { ranMs: 0 }
    const meter = createMeter(
      {
        residentMb: () => 50,
        peakMb: () => 0,
        ranMs: () => state().ranMs,
        isBlocked: () => state().blocked ?? false,
      },
      tickMs,
    )
    const inFlight = {}
    return states.map((_, index) => {
      turn = index
      return meter.look(inFlight, 1_000 + index * tickMs)
    })
  }

  it('does not charge a task for the time it waits for a core', () => {
    const readings = metered([{ ranMs: 10 }, { ranMs: 10 }, { ranMs: 11 }])
    expect(readings.at(-1)).toEqual({ ranMs: 1, usedMs: 1, wallMs: 50, residentMb: 50 })
  })

  it('charges CPU time and sleep separately', () => {
    const readings = metered([{ ranMs: 0 }, { ranMs: 25 }, { ranMs: 25, blocked: true }])
    expect(readings.at(-1)).toMatchObject({ ranMs: 25, usedMs: 50 })
  })

  it('does not charge a task for a pause of the parent', () => {
    const readings = metered([{ ranMs: 0 }, { ranMs: 5_000 }])
    expect(readings.at(-1)).toMatchObject({ ranMs: 50 })
  })
})

describe('a gauge', () => {
  it('reads the memory of a process from /proc and from ps', async () => {
    const resident = process.memoryUsage.rss() / 2 ** 20
    for (const gauge of [openGauge(process.pid), openPsGauge(process.pid)]) {
      const measured = await waitUntil(() => gauge.residentMb(), { what: 'a figure is there' })
      expect(measured / resident).toBeGreaterThan(0.7)
      expect(measured / resident).toBeLessThan(1.4)
      gauge.close()
    }
  })

  it('returns undefined for a process that has exited', () => {
    expect(openGauge(2 ** 30).residentMb()).toBeUndefined()
  })
})

describe('the slow pool', () => {
  function throttleAt({ backlogged = false } = {}) {
    const clock = { now: 0, wanted: true }
    const throttle = createThrottle({
      isWanted: () => clock.wanted,
      isBacklogged: () => backlogged,
      now: () => clock.now,
    })
    const work = (ms: number) => {
      throttle.recordStart()
      clock.now += ms
    }
    return { clock, throttle, work }
  }

  it('pauses nineteen times as long as it worked while the fast pool has tasks', () => {
    const { clock, throttle, work } = throttleAt()
    expect(throttle.mayStart()).toBe(true)
    work(100)
    expect(throttle.mayStart()).toBe(false)
    clock.now = 1_999
    expect(throttle.mayStart()).toBe(false)
    clock.now = 2_000
    expect(throttle.mayStart()).toBe(true)
  })

  it('does not pause while the fast pool is quiet', () => {
    const { clock, throttle, work } = throttleAt()
    work(100)
    expect(throttle.mayStart()).toBe(false)
    clock.wanted = false
    expect(throttle.mayStart()).toBe(true)
  })

  it('does not pause when too many jobs wait for it', () => {
    const { throttle, work } = throttleAt({ backlogged: true })
    work(100)
    expect(throttle.mayStart()).toBe(true)
  })
})
