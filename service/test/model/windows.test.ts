import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planReading } from '../../src/model/reading.ts'
import { describeWindow } from '../../src/model/window-content.ts'
import { countWords, halveWindow } from '../../src/model/windows.ts'
import { longText } from './support/answering.ts'

describe('windows of a text', () => {
  it('are one up to 2,500 words, and that one is the whole text', () => {
    const text = longText(60)
    const plan = planReading(text)
    expect(plan.windows).toEqual([{ span: [0, text.length], passage: 0 }])
    expect(describeWindow(plan, { span: [0, text.length], passage: 0 })).toEqual({
      title: 'Report on the mills',
      date: '2025-05-03',
      text: text.trim(),
    })
  })

  it('follow each other, hold all of a longer text and end where passages do', () => {
    const text = longText(600)
    const { windows, structure } = planReading(text)
    expect(windows.length).toBeGreaterThan(10)
    expect(windows[0]?.span[0]).toBe(0)
    expect(windows.at(-1)?.span[1]).toBe(text.length)
    const starts = new Set([...structure.passages, ...structure.headings].map(({ span }) => span[0]))
    for (const { span } of windows) expect(countWords(text, span)).toBeLessThanOrEqual(1500)
    for (const [index, { span }] of windows.slice(1).entries()) {
      expect(windows[index]?.span[1]).toBe(span[0])
      expect(starts.has(span[0])).toBe(true)
    }
  })

  it('carry title, date and the headings they stand under', () => {
    const plan = planReading(longText(600).replaceAll(/## Chapter (?!1\n)\d+\n\n/g, ''))
    const second = plan.windows[1]
    expect(second && describeWindow(plan, second)).toMatchObject({
      title: 'Report on the mills',
      date: '2025-05-03',
      headings: expect.arrayContaining(['Chapter 1']),
    })
  })

  it('carry the definitions before them whose terms they use', () => {
    const intro =
      'The Upper Valley Grain Cooperative (UVGC) owns the mills. "Harvest Year" means the year to 31 August.\n\n'
    const text = `${intro}${longText(300)}The UVGC sold two of them in the Harvest Year 2024.\n`
    const plan = planReading(text)
    const last = plan.windows.at(-1)
    expect(last && describeWindow(plan, last).definitions).toEqual([
      'The Upper Valley Grain Cooperative (UVGC)',
      '"Harvest Year" means the year to 31 August',
    ])
    const middle = plan.windows[2]
    expect(middle && describeWindow(plan, middle).definitions).toBeUndefined()
  })

  it('carry the first row of the table they begin in', () => {
    const rows = Array.from(
      { length: 900 },
      (_, at) => `| The old mill by the river, number ${at} | ${at + 1000} | ${at % 7} |`,
    )
    const table = planReading(`# Mills\n\n| mill | tonnes | staff |\n|---|---|---|\n${rows.join('\n')}\n`)
    const second = table.windows[1]
    expect(second && describeWindow(table, second).columns).toBe('mill | tonnes | staff')
  })

  it('cut a passage without any sentence or line', () => {
    const plan = planReading(`Start. ${'grain '.repeat(30_000)}`)
    expect(plan.windows.length).toBeGreaterThan(15)
    for (const { span } of plan.windows) expect(countWords(plan.readable, span)).toBeLessThanOrEqual(2500)
  })

  it('leave out blocks that are no text', () => {
    const block = Buffer.from(Uint8Array.from({ length: 3000 }, (_, at) => (at * 7919) % 256)).toString(
      'base64',
    )
    const words =
      'The rent of the mill is EUR 900 a month, and it is due on the first day of each month. '.repeat(5)
    const plan = planReading(`${words}\n\n${block}\n\nThe mill was built in 1820.`)
    const [window] = plan.windows
    const shown = window && describeWindow(plan, window).text
    expect(shown).toContain('built in 1820')
    expect(shown?.length).toBeLessThan(600)
  })

  it('are halved at a boundary', () => {
    const plan = planReading(longText(60))
    const [window] = plan.windows
    const halves = window && halveWindow(plan.readable, plan.structure, window)
    expect(halves).toHaveLength(2)
    expect(halves?.[0]?.span[1]).toBe(halves?.[1]?.span[0])
    const short = planReading('The rent is EUR 900.')
    const [only] = short.windows
    expect(only && halveWindow(short.readable, short.structure, only)).toBeNull()
  })

  it('hold every character of any text', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 40, mode: 'sentences' }), { maxLength: 30 }), (parts) => {
        const text = parts.join('\n\n').repeat(4)
        const { windows } = planReading(text)
        expect(windows.map(({ span }) => text.slice(...span)).join('')).toBe(text.trim() === '' ? '' : text)
      }),
      { numRuns: 40 },
    )
  })
})

it('a million characters are planned in a second or so', () => {
  const text = longText(6000)
  const started = performance.now()
  expect(planReading(text).windows.length).toBeGreaterThan(100)
  expect(performance.now() - started).toBeLessThan(20_000)
})
