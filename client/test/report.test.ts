/** Reports: every form tells the same, hostile words stay words, and pairs about one question are shown as one. */
import { describe, expect, it } from 'vitest'
import { locationText, writeReport } from '../report/index.ts'
import type { ReportFormat } from '../report/index.ts'
import { STYLE } from '../report/style.ts'
import { makeContradiction, makeDocument, makeReport, makeSide } from './support/report.ts'
import { readParts } from './support/zip.ts'

const RTL = '\u202e\u2066'
const HOSTILE = `<script>alert("x")</script>${RTL}\u0007\u001b]0;owned\u001b\\ & ]]> <img src=x onerror=alert(1)>`

async function write(data: Parameters<typeof makeReport>, format: ReportFormat): Promise<string> {
  return String(await writeReport(makeReport(...data), format))
}

async function documentXml(data: Parameters<typeof makeReport>): Promise<string> {
  const parts = readParts(Buffer.from(await writeReport(makeReport(...data), 'docx')))
  return parts.get('word/document.xml') ?? ''
}

const NOWHERE = { page: null, slide: null, sheet: null, cell: null, heading: null, line: null }

function hostileCase(): Parameters<typeof makeReport> {
  const side = makeSide(HOSTILE, 1, {
    quote: `${HOSTILE} is EUR 1 \ud800 \uffff`,
    document_id: HOSTILE,
    location: { ...NOWHERE, sheet: HOSTILE, cell: 'B7' },
  })
  const found = makeContradiction(1, { entity: HOSTILE, explanation: HOSTILE, note: HOSTILE, a: side })
  return [[found], { name: HOSTILE, documents: [makeDocument(HOSTILE)] }]
}

describe('places in files', () => {
  it.each([
    ['html', 'page 1,204'],
    ['md', 'page 1,204'],
    ['csv', '"page 1,204"'],
    ['json', '"page":1204'],
  ] as const)('are shown in %s', async (format, shown) => {
    const a = makeSide('Lease', 5, { location: { ...NOWHERE, page: 1_204 } })
    expect(await write([[makeContradiction(1, { a })]], format)).toContain(shown)
  })

  it('are shown from the largest part to the smallest, in one line', () => {
    expect(locationText({ ...NOWHERE, sheet: 'Q1\n2025', cell: 'B7' })).toBe('sheet Q1 2025, cell B7')
    expect(locationText({ ...NOWHERE, heading: 'Rent', line: 12 })).toBe('under "Rent", line 12')
  })
})

describe('parts of a file that were not read', () => {
  it.each(['html', 'md'] as const)('are named in %s, the first few, and make a gap', async (format) => {
    const page = (number: number) => ({ part: 'page', number }) as const
    const unread = [...[2, 3, 5, 7].map(page), { part: 'attachment', number: 1 } as const]
    const document = makeDocument('Lease', { status: 'processed', unread, unread_total: 812 })
    const text = await write([[], { documents: [document] }], format)
    expect(text).toContain('not read; pages 2, 3, 5, 7, attachment 1 and 807 more not read')
  })
})

describe('hostile words', () => {
  it.each(['html', 'md', 'csv', 'json'] as const)('lose what is not seen in %s', async (format) => {
    const file = await write(hostileCase(), format)
    expect(file).not.toMatch(/[^\P{Cc}\r\n]|\p{Cf}/u)
    expect(file).toContain('alert')
  })

  it('are text in HTML, in every place that shows them', async () => {
    const page = await write(hostileCase(), 'html')
    expect(page).not.toMatch(/<script|<img|<link|<iframe|src="|url\(|javascript:/i)
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(7)
  })

  it('are text in Markdown', async () => {
    const text = await write(hostileCase(), 'md')
    expect(text).not.toMatch(/(?<!\\)</)
    expect(text).not.toMatch(/(?<!\\)&(?!\s)/)
  })

  it('are text in DOCX, whose XML stays well-formed', async () => {
    const xml = await documentXml(hostileCase())
    expect(xml).toContain('&lt;script&gt;')
    expect(xml).not.toMatch(/<script|<img/)
    expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot);)/)
    expect(xml.slice(xml.indexOf('?>') + 3)).not.toMatch(/[\p{Cc}\p{Cf}\ufffe\uffff]/u)
    expect(xml.isWellFormed()).toBe(true)
    expect(openTags(xml)).toEqual([])
  })

  it.each([
    ['=1+1', '+1', '-1', '@SUM(A1)'],
    ['\t=1', '\r=1', ' =1', '\u200b=1'],
    ['\uff1d1', '\uff0b1', '\uff0d1', '\uff201'],
  ])('are no formulas in CSV: %j %j %j %j', async (...cells) => {
    for (const source of cells) {
      const csv = await write([[makeContradiction(1, { period: null, a: makeSide(source, 5) })]], 'csv')
      const [, row = ''] = csv.split('\r\n')
      expect([source, row.split(',')[6]]).toEqual([source, expect.stringMatching(/^'/)])
    }
  })

  it.each(['a;=1+1', 'a; =1+1', 'a;;@SUM(A1)', ';-1', '"";+1', 'a;\uff1d1'])(
    'are no formulas in CSV that a spreadsheet splits at semicolons: %j',
    async (source) => {
      const csv = await write([[makeContradiction(1, { period: null, a: makeSide(source, 5) })]], 'csv')
      expect(csv).toContain("'")
      expect(csv).not.toMatch(/(?:^|[;\t])[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/mu)
    },
  )
})

/** Elements that are never closed, or closed by another. */
function openTags(xml: string): string[] {
  const open: string[] = []
  for (const [, closing, name = '', own] of xml.matchAll(/<(\/?)([\w:]+)[^<>]*?(\/?)>/g)) {
    if (closing && open.pop() !== name) return [name]
    if (!closing && !own) open.push(name)
  }
  return open
}

describe('one question with several answers', () => {
  const rent = (no: number, a: number, b: number, names = ['Lease.pdf', 'Memo.docx']) =>
    makeContradiction(no, {
      entity: 'Harbour office',
      explanation: `Pair ${no}.`,
      a: makeSide(names[0] ?? '', a),
      b: makeSide(names[1] ?? '', b),
    })
  const pairs = [
    rent(1, 185_000, 192_500),
    rent(2, 185_000, 178_000, ['Lease.pdf', 'Letter.html']),
    rent(3, 192_500, 178_000, ['Memo.docx', 'Letter.html']),
    rent(4, 185_000, 192_500, ['Lease.pdf', 'Minutes.md']),
  ]

  it('is one card with each value once and every document that states it', async () => {
    const page = await write([pairs], 'html')
    expect(page.match(/<article/g)).toHaveLength(1)
    expect(page.match(/<section>/g)).toHaveLength(3)
    expect(page.match(/<blockquote/g)).toHaveLength(4)
    expect(page).toContain('Open contradictions (4)')
    expect(page).toContain('3 answers · 4 pairs')
    for (const no of [1, 2, 3, 4]) expect(page).toContain(`Pair ${no}.`)
  })

  it('is one heading in Markdown and DOCX, and stays one line a pair in CSV', async () => {
    expect((await write([pairs], 'md')).match(/^### /gm)).toHaveLength(1)
    expect((await documentXml([pairs])).match(/Heading3/g)).toHaveLength(1)
    expect((await write([pairs], 'csv')).trimEnd().split('\r\n')).toHaveLength(5)
  })

  it('keeps decided pairs, other periods and reported ones apart', async () => {
    const apart = [
      rent(1, 1, 2),
      { ...rent(2, 1, 3), period: '2027' },
      { ...rent(3, 1, 4), status: 'resolved' as const },
      { ...rent(4, 1, 5), kind: 'reported' as const },
      { ...rent(5, 1, 6), kind: 'reported' as const },
    ]
    expect((await write([apart], 'html')).match(/<article/g)).toHaveLength(5)
  })
})

describe('a report', () => {
  it('says what its bounds left out, and nothing where they left out nothing', async () => {
    const left_out = { contradictions: 1_200, documents: 1, decisions: true }
    for (const format of ['html', 'md'] as const) {
      expect(await write([[], { left_out }], format)).toContain(
        'leaves out 1,200 contradictions, 1 document, older decisions',
      )
      expect(await write([[]], format)).not.toContain('leaves out')
    }
    expect(await documentXml([[], { left_out }])).toContain('1,200 contradictions')
  })

  it('is the same file for the same data', async () => {
    const data = makeReport([makeContradiction(1)])
    expect(await writeReport(data, 'docx')).toEqual(await writeReport(data, 'docx'))
  })
})

/** The contrast of two colours by WCAG 2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const digits = colour.length === 3 ? colour.replaceAll(/./g, '$&$&') : colour
  const [red = 0, green = 0, blue = 0] = (digits.match(/../g) ?? []).map((pair) => {
    const share = Number.parseInt(pair, 16) / 255
    return share <= 0.039_28 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe('colours of the HTML report', () => {
  const themes = STYLE.split('@media print')[0]?.split('@media (prefers-color-scheme: dark)') ?? []
  it.each(['light', 'dark'])('are told from the paper in %s as well as WCAG asks of small text', (theme) => {
    const declared = themes[theme === 'light' ? 0 : 1]?.matchAll(/--(\w+): #([0-9a-f]+)/g) ?? []
    const colours = Object.fromEntries([...declared].map(([, name = '', colour = '']) => [name, colour]))
    for (const name of ['ink', 'dim', 'low', 'medium', 'high', 'critical'])
      for (const paper of ['paper', 'card'])
        expect(contrast(colours[name] ?? '', colours[paper] ?? ''), `${name} on ${paper}`).toBeGreaterThan(
          4.5,
        )
    expect(contrast(colours['ink'] ?? '', colours['mark'] ?? '')).toBeGreaterThan(4.5)
  })
})
