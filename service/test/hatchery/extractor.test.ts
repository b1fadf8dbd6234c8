/** Each file is read in a process of its own: whatever a file does ends in its text or a fault, within the limits, and no other file feels it. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createExtractor } from '../../src/hatchery/extractor.ts'
import type { Extractor, ExtractorOptions } from '../../src/hatchery/extractor.ts'
import { createMemoryLog, silentLog } from '../support/log.ts'
import { livingChildren } from './rig.ts'

vi.setConfig({ testTimeout: 120_000 })

const running: Extractor[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((extractor) => extractor.stop()))
  await vi.waitUntil(() => livingChildren('extracting').length === 0, { timeout: 30_000 })
})

function start(changes: Partial<ExtractorOptions> = {}): Extractor {
  const extractor = createExtractor({
    entry: new URL('./children/extracting.ts', import.meta.url),
    size: 1,
    limits: { cpuSeconds: 20, wallMs: 60_000, memoryMb: 256 },
    nice: false,
    maxWaitMs: 60_000,
    log: silentLog,
    ...changes,
  })
  running.push(extractor)
  return extractor
}

function nicenessOfThreads(pid: number): number[] {
  const afterName = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(afterName(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'))[16]),
  )
}

const read = (extractor: Extractor, deed: string, tenantId = 'a') =>
  extractor.extract(tenantId, 'txt', Buffer.from(deed))

describe('a file that', () => {
  it.each([
    ['crashes', 'exit 3', 'crashed'],
    ['throws', 'throw', 'crashed'],
    ['fills buffers', 'buffers', 'memory_exceeded'],
    ['fills the heap', 'heap', 'memory_exceeded'],
    ['answers without an end', 'flood', 'crashed'],
  ])('%s ends with its reason, and the next one is read', async (_, deed, fault) => {
    const extractor = start()
    expect(JSON.stringify(await read(extractor, deed)).slice(0, 100)).toBe(JSON.stringify({ fault }))
    expect(await read(extractor, 'words of the next')).toMatchObject({ text: 'words of the next' })
  })

  it('loops ends when its time on a core is over', async () => {
    const extractor = start({ limits: { cpuSeconds: 2, wallMs: 600_000, memoryMb: 256 } })
    expect(await read(extractor, 'loop')).toEqual({ fault: 'time_exceeded' })
  })

  it('does nothing ends when its time by the clock is over', async () => {
    const extractor = start({ limits: { cpuSeconds: 20, wallMs: 3_000, memoryMb: 256 } })
    expect(await read(extractor, 'sleep 600000')).toEqual({ fault: 'time_exceeded' })
  })

  it('is long comes whole', async () => {
    const text = `${'long '.repeat(1_000_000)}😀`
    expect(await read(start(), text)).toMatchObject({ text })
  })
})

describe('while a file is read', () => {
  it.runIf(process.platform === 'linux')('every thread of its process gives way to all others', async () => {
    const extractor = start({ nice: true })
    const reading = read(extractor, 'sleep 600000').catch(() => undefined)
    const niceness = await vi.waitUntil(
      () =>
        livingChildren('extracting')
          .map(nicenessOfThreads)
          .find((threads) => threads.length > 4),
      { timeout: 30_000 },
    )
    expect(Math.min(...niceness)).toBe(5)
    await extractor.stop()
    await reading
  })

  it('no other one begins, and of those that wait the tenant with the fewest goes first', async () => {
    const extractor = start({ size: 2 })
    const ended: string[] = []
    const note = (name: string) => () => void ended.push(name)
    const all = [
      read(extractor, 'sleep 1000', 'a').then(note('a1')),
      read(extractor, 'sleep 1000', 'a').then(note('a2')),
      read(extractor, 'sleep 1000', 'a').then(note('a3')),
      read(extractor, 'words', 'b').then(note('b1')),
    ]
    await Promise.all(all)
    expect(ended.indexOf('b1')).toBeLessThan(ended.indexOf('a3'))
  })

  it('a tenant with slow files leaves the last process to others, whose file begins at once', async () => {
    const extractor = start({ size: 2 })
    const slow = Array.from({ length: 3 }, () => read(extractor, 'sleep 600000', 'a').catch(() => undefined))
    await vi.waitFor(() => expect(livingChildren('extracting')).toHaveLength(1), { timeout: 30_000 })
    expect(await read(extractor, 'words', 'b')).toMatchObject({ text: 'words' })
    expect(livingChildren('extracting')).toHaveLength(1)
    await extractor.stop()
    await Promise.all(slow)
  })

  it('one that would wait too long is refused', async () => {
    const extractor = start({ maxWaitMs: 100 })
    const first = read(extractor, 'sleep 1000')
    await expect(read(extractor, 'words')).rejects.toMatchObject({ code: 'overloaded' })
    await first
  })

  it('nothing of it is in the log', async () => {
    const { log, lines } = createMemoryLog()
    await read(start({ log }), 'throw')
    expect(JSON.stringify(lines())).not.toContain('secret')
  })

  it('a stop ends its process and says that the service is leaving', async () => {
    const extractor = start()
    const reading = read(extractor, 'sleep 600000')
    await vi.waitFor(() => expect(livingChildren('extracting')).toHaveLength(1), { timeout: 30_000 })
    await extractor.stop()
    await expect(reading).rejects.toMatchObject({ code: 'unavailable' })
  })
})
