import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../harness/statistics.ts'
import { withMutatedRepository } from '../harness/mutation.ts'
import { OBEDIENT_READER, baits, longBaits } from '../proofs/poison/baits.ts'
import { healthyLetters, hostileLetters, strew } from '../proofs/poison/corpus.ts'
import type { Letter } from '../proofs/poison/corpus.ts'
import { judgeEnds } from '../proofs/poison/ends.ts'
import type { End } from '../proofs/poison/ends.ts'

interface Reader {
  readStructure(text: string): unknown
}

describe('the obedient reader', () => {
  it('does what a text tells it to, and reads every other text as before', async () => {
    await withMutatedRepository([OBEDIENT_READER], async (repository) => {
      const { readStructure }: Reader = await import(join(repository, 'reading', 'src', 'structure.ts'))
      const [throwing] = hostileLetters(20)
      expect(() => readStructure(throwing?.text ?? '')).toThrow('POISON throw')
      expect(readStructure('It was signed. POISON throw')).toMatchObject({ passages: [{}] })
      const source = await readFile(join(repository, 'reading', 'src', 'structure.ts'), 'utf8')
      for (const { kind } of [...baits, ...longBaits]) expect(source).toContain(`case '${kind}'`)
    })
  })
})

describe('what is sent', () => {
  it('has the same healthy texts in the same order, with and without hostile ones', () => {
    const alone = healthyLetters('alone', 970)
    const mixed = strew(healthyLetters('beside', 970), hostileLetters(30), seededRandom(1))
    expect(mixed).toHaveLength(1_000)
    expect(mixed.filter(({ bait }) => !bait).map(({ text }) => text)).toEqual(alone.map(({ text }) => text))
    expect(new Set(mixed.map(({ id }) => id)).size).toBe(1_000)
  })

  it('has hostile ones of every kind, in every part', () => {
    const mixed = strew(healthyLetters('beside', 970), hostileLetters(30), seededRandom(1))
    const kinds = new Set(mixed.flatMap(({ bait }) => (bait ? [bait.kind] : [])))
    expect(kinds).toEqual(new Set([...baits, ...longBaits].map(({ kind }) => kind)))
    for (const part of [0, 250, 500, 750])
      expect(mixed.slice(part, part + 250).filter(({ bait }) => bait).length).toBeGreaterThan(4)
  })

  it('is within what a text may be', () => {
    for (const { text } of [...healthyLetters('x', 1_000), ...hostileLetters(30)])
      expect(text.length).toBeLessThanOrEqual(100_000)
  })
})

describe('the judgement', () => {
  const [healthy] = healthyLetters('beside', 1)
  const [hostile] = hostileLetters(20)
  const letters = [healthy, hostile].filter((letter): letter is Letter => letter !== undefined)
  const good: End = {
    id: 'beside-0',
    status: 'processed',
    reason: null,
    attempt: 1,
    begun: 1,
    endedAt: 1,
    tookMs: 1,
  }
  const bad: End = {
    id: 'throw-0',
    status: 'failed',
    reason: 'threw',
    attempt: 5,
    begun: 5,
    endedAt: 2,
    tookMs: 1,
  }
  const judge = (...ends: readonly End[]) =>
    Object.entries(judgeEnds(letters, new Map(ends.map((end) => [end.id, end])), 5))
      .filter(([, found]) => found.length > 0)
      .map(([finding]) => finding)

  it('finds nothing where all is well', () => expect(judge(good, bad)).toEqual([]))

  it.each([
    ['lost', [bad]],
    ['lost', [{ ...good, status: 'failed', reason: 'threw' }, bad]],
    ['lost', [{ ...good, status: 'queued' }, bad]],
    ['repeated', [{ ...good, attempt: 2, begun: 2 }, bad]],
    ['spared', [good]],
    ['spared', [good, { ...bad, status: 'processed', reason: null }]],
    ['spared', [good, { ...bad, status: 'queued', attempt: 3 }]],
    ['misjudged', [good, { ...bad, reason: 'worker_lost' }]],
    ['misjudged', [good, { ...bad, reason: null }]],
    ['miscounted', [good, { ...bad, attempt: 4 }]],
    ['miscounted', [good, { ...bad, begun: 6 }]],
  ] satisfies [string, End[]][])('finds what is %s', (finding, ends) => {
    expect(judge(...ends)).toEqual([finding])
  })
})
