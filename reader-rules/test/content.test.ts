import { describe, expect, it } from 'vitest'
import type { ReadingReport } from '@concord/reading/src/report.ts'
import { readDocument } from '../src/document.ts'
import { makeBytes, makeLetters, wrapLines } from '@concord/reading/test/support/bytes.ts'
import { expectSums } from '@concord/reading/test/support/sums.ts'

function reportOf(text: string): ReadingReport {
  const { report } = readDocument(text)
  expectSums(report)
  return report
}

const prose =
  'The mill was sold in 2024 for EUR 4.2m, and the buyer has paid all of it. There is no debt on the land, and no claim was made.'
const bytes = makeBytes(3_000)
const base64 = bytes.toString('base64')
const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('')

describe('what is not text is not read', () => {
  const samples: readonly (readonly [ReadingReport['format'], string, string])[] = [
    ['base64', 'one line', base64],
    ['base64', 'wrapped lines', wrapLines(base64, 76)],
    ['base64', 'narrow lines', wrapLines(base64, 20)],
    ['base64', 'the alphabet for addresses', bytes.toString('base64url')],
    ['base64', 'an English text in disguise', Buffer.from(prose.repeat(9)).toString('base64')],
    ['base64', 'a short text in disguise', Buffer.from('The mill was sold in 2024.').toString('base64')],
    ['base64', 'nothing but zeros', wrapLines(Buffer.alloc(3_000).toString('base64'), 76)],
    ['base64', 'hexadecimal digits', bytes.toString('hex')],
    ['base64', 'a data: address', `data:image/png;base64,${base64}`],
    [
      'base64',
      'a PEM block',
      `-----BEGIN CERTIFICATE-----\n${wrapLines(base64, 64)}\n-----END CERTIFICATE-----\n`,
    ],
    [
      'base64',
      'a MIME part',
      `MIME-Version: 1.0\nSubject: Deed of the mill\nContent-Type: application/pdf; name="deed.pdf"\nContent-Transfer-Encoding: base64\n\n${wrapLines(base64, 76)}`,
    ],
    ['base64', 'strings of JSON', JSON.stringify(base64.match(/.{200}/g)?.map((data) => ({ data })))],
    ['binary', 'a PDF', '%PDF-1.7\n%\ufffd\ufffd\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'],
    ['binary', 'an archive', 'PK\u0003\u0004\u0014\u0006\ufffd\ufffd!word/document.xml'],
    ['binary', 'a picture', '\ufffdPNG\r\n\u001a\nIHDR'],
    ['binary', 'bytes as UTF-8', bytes.toString('utf8').replaceAll('\0', '')],
    ['binary', 'bytes as Latin-1', bytes.toString('latin1').replaceAll('\0', '')],
    ['binary', 'random signs', makeLetters(700, printable)],
    ['binary', 'random letters', makeLetters(900, 'abcdefghijklmnopqrstuvwxyz    ')],
    [
      'html',
      'a page',
      `<!DOCTYPE html>\n<html><head><title>Mill</title></head><body><p>${prose}</p></body></html>`,
    ],
    ['html', 'a fragment', `<p>${prose}</p>\n<p>${prose}</p>`],
    [
      'html',
      'a table',
      '<table>\n<tr><td>Price</td><td>4.2</td></tr>\n<tr><td>Debt</td><td>0</td></tr>\n</table>',
    ],
    ['html', 'tags throughout', `Dear all,\n${`<div><b>Price</b><br>${prose}</div><p>`.repeat(6)}`],
    ['html', 'XML', '<?xml version="1.0"?>\n<deed><price currency="EUR">4.2</price><debt>0</debt></deed>'],
    ['html', 'XML without a prolog', '<deed><price currency="EUR">4.2</price><debt>0</debt></deed>'],
  ]
  it.each(samples)('%s: %s', (format, _, text) => {
    const report = reportOf(text)
    expect(report.format).toBe(format)
    expect([report.charactersRead, report.passages, report.claims]).toEqual([0, 0, 0])
    expect(report.unread).toEqual([{ reason: 'not_text', characters: report.characters, passages: 0 }])
  })
})

describe('a text that speaks of such things is one', () => {
  const key = makeBytes(294).toString('base64')
  const samples = [
    [
      'tags',
      `${prose} The page has a <table> with a <td> in it, and <b>bold</b> words. Put <name> there. ${prose}`,
    ],
    [
      'a snippet of HTML',
      'Put this on the page:\n\n<ul>\n<li>One</li>\n<li>Two</li>\n</ul>\n\nIt shows a list of two items.',
    ],
    ['HTML in a fence', `${prose}\n\n\`\`\`html\n${'<div><p>One</p></div>'.repeat(20)}\n\`\`\`\n\n${prose}`],
    ['a key', `${prose}\n\nOur public key is ${key} and it is valid until 3 May 2027.`],
    ['a key and hardly a word', `The public key of the host is ${key} for now.`],
    ['a hash', `${prose} The checksum is ${makeBytes(32).toString('hex')}.`],
    ['the head of a file', `%PDF-1.7 is how such a file begins. ${prose}`],
    ['a log with colours', '\u001b[31merror\u001b[0m the disk of the host is full.\n\n'.repeat(30)],
    ['rows of a table', 'sku,name,colour,price\n1,Lamp,red,12\n2,Desk,oak,300\n3,Chair,blue,45\n'],
    ['rulers', `${prose}\n\n${'-'.repeat(400)}\n\n${prose}\n\n${'='.repeat(400)}`],
    [
      'long addresses',
      `${prose}\n\n${`See https://example.org/deeds/${'mill-and-land/'.repeat(12)}page for it. `.repeat(9)}`,
    ],
  ] as const
  it.each(samples)('with %s', (_, text) => {
    const report = reportOf(text)
    expect([report.format, report.unread]).toEqual(['text', []])
  })
})

describe('a block that is not text inside of a text', () => {
  const block = wrapLines(base64, 76).trim()
  const message = `${prose} ${prose} ${prose}`

  it('is the only part that is not read', () => {
    const text = `From: Ada Lund <ada@example.org>\nSubject: Deed\n\n${message}\n\n--b1\n\n${block}\n--b1--\n\nThe rent is EUR 900 a month.\n`
    const { report, claims } = readDocument(text)
    expectSums(report)
    expect(report.format).toBe('text')
    expect(report.unread).toEqual([{ reason: 'not_text', characters: block.length, passages: 0 }])
    expect(claims.map(({ valueText }) => valueText)).toEqual(expect.arrayContaining(['EUR 4.2m', 'EUR 900']))
    for (const { span, quote } of claims) expect(text.slice(...span)).toBe(quote)
  })

  it('splits what it stands in, so that no quote runs across it', () => {
    const text = `${message} The seal is ${base64} and the rent is EUR 900 a month.`
    const { report, claims } = readDocument(text)
    expect(report.unread).toEqual([{ reason: 'not_text', characters: base64.length, passages: 0 }])
    expect(claims.map(({ valueText }) => valueText)).toContain('EUR 900')
    for (const { span, quote } of claims) expect(text.slice(...span)).toBe(quote)
  })

  it('may be a page of HTML', () => {
    const page = `<html><body>${`<p>${prose}</p>`.repeat(12)}</body></html>`
    const report = reportOf(`From: Ada Lund <ada@example.org>\n\n${message}\n\n${page}\n`)
    expect(report.unread).toEqual([{ reason: 'not_text', characters: page.length, passages: 0 }])
  })

  it('may be bytes', () => {
    const garbage = bytes.toString('latin1').replaceAll(/[\0\r\n]/g, '')
    const report = reportOf(`${message}\n\n${garbage}\n\n${message}`)
    expect(report.format).toBe('text')
    expect(report.unread.map(({ reason }) => reason)).toEqual(['not_text'])
    expect(report.charactersRead).toBeGreaterThanOrEqual(2 * message.length)
  })

  it('and passages beyond the limit on claims are counted apart', () => {
    const figures = Array.from(
      { length: 600 },
      (_, at) => `Store number ${at + 11} sold ${at + 1_017} lamps in 2025 and had ${at + 311} visitors.`,
    ).join('\n\n')
    const report = reportOf(`${figures}\n\n\`\`\`\n${block}\n\`\`\`\n`)
    expect(report.unread.map(({ reason }) => reason)).toEqual(['limit', 'not_text'])
    expect(report.unread[1]?.characters).toBe(block.length)
  })
})
