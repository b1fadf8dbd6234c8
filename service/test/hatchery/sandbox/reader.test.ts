import { describe, expect, it } from 'vitest'
import type { LocatedClaim } from '../../../src/domain/claim.ts'
import type { ReadingReport } from '../../../src/domain/reading-report.ts'
import { extentOf } from '../../../src/domain/reading-report.ts'
import { readDocument } from '@concord/reader-rules/src/document.ts'
import { readStructure } from '@concord/reading/src/structure.ts'
import type { Structure } from '@concord/reading/src/structure.ts'
import { planReading } from '../../../src/model/plan.ts'
import type { ReadingPlan } from '../../../src/model/plan.ts'
import { decodeTask, markTask, toPlan } from '../../../src/worker/plan.ts'
import { decodeReading } from '../../../src/worker/reading.ts'
import { makeBytes } from '@concord/reading/test/support/bytes.ts'
import { resultOf, startSandbox, task } from '../rig.ts'

const entry = new URL('../../../src/main/reader.ts', import.meta.url)
const page =
  '# Report\n\nIt was signed in Geneva. Nobody objected.\n\n- an item\n- another\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n'

describe('the reader', () => {
  it('gives the structure that reading in this process gives, for short and for long texts', async () => {
    const sandbox = await startSandbox<Structure>({
      entry,
      decode: (body) => JSON.parse(String(decodeReading(body).json)) as Structure,
      limits: { timeMs: 10_000, sliceMs: 200, memoryMb: 512 },
    })
    const texts = ['', 'One line.', page, page.repeat(900).slice(0, 100_000), '漢字。かな。\n\n'.repeat(500)]
    for (const text of texts) {
      const result = resultOf(await sandbox.run(task(markTask('rules', text))))
      expect(result).toEqual(JSON.parse(JSON.stringify(readStructure(text))))
    }
  }, 60_000)

  it('reads a document right after one that was cut off as if nothing had been', async () => {
    const sandbox = await startSandbox<Structure>({
      entry,
      decode: (body) => JSON.parse(String(decodeReading(body).json)) as Structure,
      // Too short for a long text, so that it is cut off again and again, at other places each time.
      limits: { timeMs: 8, sliceMs: 8, memoryMb: 512 },
    })
    const long = page.repeat(900).slice(0, 100_000)
    const expected: unknown = JSON.parse(JSON.stringify(readStructure(page)))
    const results: unknown[] = []
    for (let round = 0; round < 20; round += 1) {
      const [, outcome] = await Promise.all([
        sandbox.run(task(markTask('rules', long))),
        sandbox.run(task(markTask('rules', page))),
      ])
      if (outcome.kind === 'done') results.push(outcome.result)
    }
    expect(results.length).toBeGreaterThan(0)
    expect(results).toEqual(results.map(() => expected))
    expect(sandbox.stats().interrupted).toBeGreaterThan(5)
  }, 60_000)
})

it('gives the claims of a text with their offsets in code points', async () => {
  const sandbox = await startSandbox<readonly LocatedClaim[]>({
    entry,
    decode: (body) => decodeReading(body).claims.map(({ json }) => JSON.parse(String(json)) as LocatedClaim),
    limits: { timeMs: 10_000, sliceMs: 200, memoryMb: 512 },
  })
  const text = '💠 Note 💠\n\nBorealis Ltd had revenue of EUR 12.4m in 2025.'
  const claims = resultOf(await sandbox.run(task(markTask('rules', text))))
  expect(claims.map(({ valueText }) => valueText)).toContain('EUR 12.4m')
  const characters = Array.from(text)
  for (const { span, valueSpan, quote, valueText } of claims) {
    expect(characters.slice(...span).join('')).toBe(quote)
    expect(characters.slice(...valueSpan).join('')).toBe(valueText)
  }
}, 60_000)

it('gives the report that reading in this process gives, whatever the text is', async () => {
  const sandbox = await startSandbox<ReadingReport>({
    entry,
    decode: (body) => decodeReading(body).report,
    limits: { timeMs: 10_000, sliceMs: 200, memoryMb: 512 },
  })
  const texts = [
    'The rent of the mill is EUR 900 a month.',
    'Die Miete der Mühle beträgt 900 Euro im Monat.',
    makeBytes(2_000).toString('base64'),
    '<p>The rent of the mill</p><p>is EUR 900 a month.</p>',
  ]
  const reports: ReadingReport[] = []
  for (const text of texts) reports.push(resultOf(await sandbox.run(task(markTask('rules', text)))))
  expect(reports).toEqual(texts.map((text) => readDocument(text).report))
  expect(reports.map(extentOf)).toEqual(['whole', 'none', 'none', 'none'])
}, 60_000)

it('gives the plan that planning in this process gives, for texts in one window and in several', async () => {
  const texts = [
    '',
    'The rent of the mill is EUR 900 a month.',
    `Before.\n\n${makeBytes(2_000).toString('base64')}\n\nAfter 💠.`,
    page.repeat(900).slice(0, 100_000),
  ]
  let text = ''
  const sandbox = await startSandbox<ReadingPlan>({
    entry,
    decode(body) {
      const planned = decodeTask(body)
      if (planned.kind !== 'plan') throw new Error('no plan')
      return toPlan(planned, text)
    },
    limits: { timeMs: 10_000, sliceMs: 200, memoryMb: 512 },
  })
  for (text of texts) {
    const plan = resultOf(await sandbox.run(task(markTask('plan', text))))
    expect(plan).toEqual(JSON.parse(JSON.stringify(planReading(text))))
  }
}, 60_000)
