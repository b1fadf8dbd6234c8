import { describe, expect, it } from 'vitest'
import { sketch } from './support/sketch.ts'

/** Below a paragraph, so that nothing belongs to the header. */
function below(text: string): string[] {
  return sketch(`The text begins with this sentence, which closes the header,\n\n${text}`).slice(1)
}

describe('keys and values', () => {
  it('are short statements behind a colon', () => {
    expect(
      below('Contract sum:      EUR 7,940,000\nStart: 1 September 2022\n**Place:** Utrecht\n**Time**: 10:17'),
    ).toEqual([
      'key-value | Contract sum = EUR 7,940,000',
      'key-value | Start = 1 September 2022',
      'key-value | Place = Utrecht',
      'key-value | Time = 10:17',
    ])
  })

  it('may have a long key, or a question, where the value stands apart', () => {
    expect(
      below(
        'Politically exposed persons among directors, shareholders or beneficial owners:    No\nEncryption at rest?    Yes',
      ),
    ).toEqual([
      'key-value | Politically exposed persons among directors, shareholders or beneficial owners = No',
      'key-value | Encryption at rest = Yes',
    ])
  })

  it('take the lines further in as value, and keys further in as theirs', () => {
    expect(below('Role:     Councillor,\n          Milan\n  Elected:   2019\nParty:    PD')).toEqual([
      'key-value | Role = Councillor, Milan',
      'key-value ^1 | Elected = 2019',
      'key-value | Party = PD',
    ])
  })

  it('stay together under a label that stands under a key', () => {
    expect(below('Excursions:   23 events\n  Duration:\n    short:    14\n    long:     9')).toEqual([
      'key-value | Excursions = 23 events',
      'paragraph ^1 | Duration:',
      'key-value ^2 | short = 14',
      'key-value ^2 | long = 9',
    ])
  })

  it('hang a second key on the line under the first', () => {
    expect(below('Frozen raspberries:   9,600 kg      Lots: R-2207, R-2211')).toEqual([
      'key-value | Frozen raspberries = 9,600 kg',
      'key-value ^1 | Lots = R-2207, R-2211',
    ])
  })

  it('know the colon of other scripts', () => {
    expect(below('名称：北京')).toEqual(['key-value | 名称 = 北京'])
  })

  it('are not sentences, times or addresses of pages', () => {
    const lines = [
      'She said: we go.',
      'It starts at 10:17 sharp.',
      'https://example.org',
      'Viktor (born: 1967)',
    ]
    for (const line of lines) expect(below(line)).toEqual([`paragraph | ${line}`])
  })
})

describe('labels', () => {
  it('are what stands before prose: a key, or words in bold or italics with a stop', () => {
    expect(below('Correction: progress had been given as 55. The correct value is 48.')).toEqual([
      'paragraph | [Correction] Correction: progress had been given as 55. / The correct value is 48.',
    ])
    expect(below('**Net debt.** It was EUR 6.2m.\n*A.* Vestland Kraft, 9 %.')).toEqual([
      'paragraph | [Net debt] **Net debt.** / It was EUR 6.2m.',
      'paragraph | [A] *A.* / Vestland Kraft, 9 %.',
    ])
  })

  it('are kept on a sentence that the margin broke', () => {
    expect(
      below(
        "Annexes: two certified passport copies and an extract from the shareholders'\nledger of the Holding.",
      ),
    ).toEqual([
      "paragraph | [Annexes] Annexes: two certified passport copies and an extract from the shareholders' ledger of the Holding.",
    ])
  })

  it('hang an answer under its question', () => {
    expect(below('**Q 14.** Which customer is the largest?\n*A.* Vestland Kraft.')).toEqual([
      'paragraph | [Q 14] **Q 14.** / Which customer is the largest?',
      'paragraph ^1 | [A] *A.* / Vestland Kraft.',
    ])
  })
})
