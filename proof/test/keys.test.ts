/** The instruments of the proof of keys: each must show what is there, and nothing that is not. */
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStream } from '../harness/http/event-stream.ts'
import { searchFiles } from '../harness/file-search.ts'
import { prefixOf, relabelled, requireSameChecksum, secretOf, unknownKey } from '../harness/forged-keys.ts'
import { withBadChecksum, withWrongSecret } from '../harness/forged-keys.ts'
import { percentile, seededRandom } from '../harness/statistics.ts'
import { certainDifference } from '../proofs/keys/timing.ts'
import { acceptedAfter, acceptedAgain, refusedBefore, refusedFrom } from '../proofs/keys/watch.ts'
import type { KeyWatch } from '../proofs/keys/watch.ts'

const FORM = /^ck_[tai]_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/

describe('a forged key', () => {
  test('has the form of a key', () => {
    for (const tier of ['t', 'a', 'i'] as const) expect(unknownKey(tier)).toMatch(FORM)
  })

  test('with a wrong secret keeps the id and loses the secret', () => {
    const key = unknownKey('t')
    const forged = withWrongSecret(key)
    expect(prefixOf(forged)).toBe(prefixOf(key))
    expect(secretOf(forged)).not.toBe(secretOf(key))
    expect(forged).toMatch(FORM)
  })

  test('with a bad checksum differs in its checksum alone', () => {
    const key = unknownKey('t')
    expect(secretOf(withBadChecksum(key))).toBe(secretOf(key))
    expect(() => requireSameChecksum(withBadChecksum(key))).toThrow(/another checksum/)
  })

  test('has the right checksum where only its secret or its tier is wrong', () => {
    const key = unknownKey('t')
    for (const each of [key, withWrongSecret(key), relabelled(key, 'a')]) requireSameChecksum(each)
    expect(relabelled(key, 'a').slice(0, -6)).toBe(key.slice(0, -6).replace('ck_t_', 'ck_a_'))
  })
})

describe('the comparison of times', () => {
  const random = seededRandom(7)
  /** Milliseconds as a busy machine gives them: mostly near the middle, some far above. */
  const samples = (middle: number) =>
    Array.from({ length: 600 }, () => middle * (0.8 + 0.4 * random()) + (random() < 0.05 ? 20 * random() : 0))

  test('finds a difference of a fifth', () => {
    expect(certainDifference(samples(0.5), samples(0.6), random).certain).toBeGreaterThan(5)
    expect(certainDifference(samples(0.6), samples(0.5), random).certain).toBeGreaterThan(5)
  })

  test('finds none where there is none', () => {
    expect(certainDifference(samples(0.5), samples(0.5), random).certain).toBeLessThan(2)
  })
})

describe('a percentile', () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at)
  test('is taken from the sorted values', () => {
    expect(percentile(values, 0.5)).toBe(51)
    expect(percentile(values, 0.99)).toBe(100)
    expect(percentile(values, 0)).toBe(1)
  })
})

describe('a watch', () => {
  const watchOf = (pattern: string): KeyWatch => ({
    sightings: Array.from(pattern, (letter, at) => ({
      sentAt: at * 10,
      answeredAt: at * 10 + 5,
      accepted: letter === 'a',
    })),
    stop: async () => undefined,
  })

  test('counts what was accepted too late by when it was sent', () => {
    expect(acceptedAfter(watchOf('aaaa'), 10)).toBe(2)
    expect(acceptedAfter(watchOf('aarr'), 10)).toBe(0)
  })

  test('counts what was refused too early by when it was answered', () => {
    expect(refusedBefore(watchOf('aarr'), 30)).toBe(1)
    expect(refusedBefore(watchOf('aarr'), 24)).toBe(0)
  })

  test('tells how long it took until the first refusal, and that there was none', () => {
    expect(refusedFrom(watchOf('aaar'), 10)).toBe(20)
    expect(refusedFrom(watchOf('aaaa'), 10)).toBe(Number.POSITIVE_INFINITY)
  })

  test('notices a key that comes back to life', () => {
    expect(acceptedAgain(watchOf('aarra'))).toBe(1)
    expect(acceptedAgain(watchOf('aarrr'))).toBe(0)
  })
})

describe('a search on the disk', () => {
  let folder = ''
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'concord-disk-'))))
  afterAll(() => rm(folder, { recursive: true }))

  test('finds a needle at any place in a large file, across the parts in which it is read', async () => {
    const part = 4 * 1024 * 1024
    const large = Buffer.alloc(2 * part + 100)
    for (const [at, offset] of [0, part - 3, 2 * part - 1].entries()) large.write(`needle-${at}`, offset)
    await writeFile(join(folder, 'large'), large)
    await writeFile(join(folder, 'other'), 'needle-1 and no more')
    const needles = ['needle-0', 'needle-1', 'needle-2', 'needle-3']
    expect(await searchFiles(folder, 0, needles)).toMatchObject({ files: 2, hits: [1, 2, 1, 0] })
  })

  test('leaves out what was last written before', async () => {
    await writeFile(join(folder, 'old'), 'ancient')
    await utimes(join(folder, 'old'), 1_000, 1_000)
    expect((await searchFiles(folder, 2_000_000, ['ancient'])).hits).toEqual([0])
    expect((await searchFiles(folder, 0, ['ancient'])).hits).toEqual([1])
  })
})

describe('a stream that is held open', () => {
  let endNow = () => undefined as unknown
  let closed = 0
  const server = createServer((_request, response) => {
    response.once('close', () => void (closed += 1))
    response.write('retry: 3000\n\n')
    endNow = () => response.end()
  })
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const open = () => openStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { path: '/' })

  test('shows what came, and tells when the other side ended it', async () => {
    const stream = await open()
    await expect.poll(() => stream.text()).toBe('retry: 3000\n\n')
    expect(stream.endedAt()).toBeUndefined()
    endNow()
    await expect.poll(() => stream.endedAt()).toBeGreaterThan(0)
  })

  test('does not take its own closing for an end', async () => {
    const stream = await open()
    const before = closed
    stream.close()
    await expect.poll(() => closed).toBe(before + 1)
    expect(stream.endedAt()).toBeUndefined()
  })
})
