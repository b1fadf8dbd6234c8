/** Files as text: the words in their order, with headings, lists, tables and pages where they were. */
import { makeDocx, makePdf } from '@concord/tools/sample-files'
import { describe, expect, it } from 'vitest'
import { fileTypeOf, readText } from '../src/text/reading.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('HTML', () => {
  it('keeps headings, paragraphs, lists and tables, and drops what nobody reads', async () => {
    const page = `<!doctype html><html><head><title>T</title><style>p{}</style></head><body>
      <h1>Annual  report</h1><p>Revenue was
      <b>EUR&nbsp;12.4m</b> in <i>2025</i>.<br>Second line.</p><script>var x = "<p>no</p>"</script>
      <ul><li>one</li><li>two <a href="x">words</a></ul>
      <table><tr><th>Item</th><th>EUR</th></tr><tr><td><p>Rent</p><p>net</p></td><td>1&#44;200</td></tr></table>
      <h2>Next</h2><div>a<div>b</div></div></body></html>`
    expect(await readText('html', bytes(page))).toBe(
      [
        '# Annual report',
        'Revenue was EUR 12.4m in 2025.\nSecond line.',
        '- one\n- two words',
        '| Item | EUR |\n| --- | --- |\n| Rent net | 1,200 |',
        '## Next',
        'a',
        'b',
      ].join('\n\n'),
    )
  })

  it('reads the encoding that the page names', async () => {
    const [start = '', end = ''] = '<meta charset="windows-1252"><p>Z|rich</p>'.split('|')
    const latin = Buffer.concat([Buffer.from(start), Buffer.from([0xfc]), Buffer.from(end)])
    expect(await readText('html', latin)).toBe('Zürich')
  })

  it('takes a table of one column for layout', async () => {
    expect(await readText('html', bytes('<table><tr><td>a</td></tr><tr><td>b</td></tr></table>'))).toBe(
      'a\n\nb',
    )
  })
})

describe('PDF', () => {
  it('keeps lines, paragraphs and pages', async () => {
    const pdf = makePdf([
      ['Annual report', '', '', 'Revenue was EUR 12.4m', 'in 2025.'],
      ['Headcount (group): 240'],
    ])
    expect(await readText('pdf', pdf)).toBe(
      'Annual report\n\nRevenue was EUR 12.4m\nin 2025.\n\f\nHeadcount (group): 240',
    )
  })

  it.each([
    ['holds no text', makePdf([[]]), /scan/],
    ['is none', bytes('not a PDF'), /PDF/],
  ])('says what is wrong with one that %s', async (_, file, why) => {
    await expect(readText('pdf', file)).rejects.toThrow(why)
  })
})

describe('DOCX', () => {
  it('keeps headings, paragraphs and tables', async () => {
    const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
    const docx = makeDocx(
      `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Minutes</w:t></w:r></w:p>
       <w:p><w:r><w:t xml:space="preserve">Revenue was </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>EUR 12.4m.</w:t></w:r></w:p>
       <w:tbl><w:tr>${cell('Item')}${cell('EUR')}</w:tr><w:tr>${cell('Rent')}${cell('1,200')}</w:tr></w:tbl>`,
    )
    expect(await readText('docx', docx)).toBe(
      '# Minutes\n\nRevenue was EUR 12.4m.\n\n| Item | EUR |\n| --- | --- |\n| Rent | 1,200 |',
    )
  })
})

describe('a file that is much larger inside than outside', () => {
  it('is refused before it is read', async () => {
    const docx = makeDocx(`<w:p><w:r><w:t>${'a'.repeat(70 * 1_048_576)}</w:t></w:r></w:p>`)
    await expect(readText('docx', docx)).rejects.toThrow('more than 64 MiB')
  })

  it('is converted in a time that grows with its length, though it is one long paragraph of tags', async () => {
    const takes = async (words: number) => {
      const html = bytes(`<p>${'<b>a</b> '.repeat(words)}</p>`)
      const times: number[] = []
      for (let nth = 0; nth < 3; nth += 1) {
        const start = performance.now()
        await readText('html', html)
        times.push(performance.now() - start)
      }
      return Math.min(...times)
    }
    // Eight times as much took sixty-four times as long.
    expect((await takes(160_000)) / (await takes(20_000))).toBeLessThan(32)
  })
})

describe('plain text', () => {
  it('is UTF-8 or says so, with or without a mark', async () => {
    expect(await readText('txt', bytes('\uFEFFZürich'))).toBe('Zürich')
    expect(await readText('md', Buffer.from('\uFEFFa', 'utf16le'))).toBe('a')
    await expect(readText('txt', new Uint8Array([0x5a, 0xfc, 0x72]))).rejects.toThrow(/UTF-8/)
    await expect(readText('txt', bytes(' \n'))).rejects.toThrow(/no text/)
  })
})

it.each([
  ['a/b.TXT', 'txt'],
  ['b.markdown', 'md'],
  ['b.htm', 'html'],
  ['b.doc', undefined],
  ['b', undefined],
])('%s is %s', (path, type) => {
  expect(fileTypeOf(path)).toBe(type)
})
