import { describe, expect, it } from 'vitest'
import { plainText, readStructure } from '../src/structure.ts'

const body = 'This is a sentence of the text that is long enough to be prose, and it ends here.'

/** Level and words of each heading, below a first line that takes the place of the title. */
function headings(text: string): string[] {
  const whole = `# Title\n\n${text}`
  return readStructure(whole).headings.map(({ level, span }) => `${level} ${plainText(whole, span)}`)
}

/** The heading path of the last passage. */
function path(text: string): string[] {
  const { headings: all, passages } = readStructure(text)
  const names: string[] = []
  for (let index = passages.at(-1)?.heading ?? null; index !== null; index = all[index]?.parent ?? null) {
    const span = all[index]?.span
    if (span !== undefined) names.unshift(plainText(text, span))
  }
  return names
}

describe('headings by sign', () => {
  it('are one to six hashes before words', () => {
    expect(headings(`## A\n\n###### B ##\n\n${body}`)).toEqual(['2 A', '6 B'])
    expect(headings(`####### A\n\n#B\n\n#\n\n${body}`)).toEqual([])
  })

  it('are underlined with a line of equal or minus signs', () => {
    expect(headings(`Scope\n=====\n\n${body}\n\nTerm\n----\n\n${body}`)).toEqual(['1 Scope', '2 Term'])
  })

  it('are not the last line of a form above a ruler', () => {
    expect(headings('Agent: Dr. Nguyen\n=================\n')).toEqual([])
  })
})

describe('headings by number', () => {
  it('are short titles behind a number, as deep as the number', () => {
    expect(headings(`1. Corporate\n\n${body}\n\n1.2 Scope of work\n\n${body}`)).toEqual([
      '3 1. Corporate',
      '4 1.2 Scope of work',
    ])
    expect(headings(`1  Previous minutes\n   Approved without change.`)).toEqual([
      '3 1  Previous minutes'.replace('  ', ' '),
    ])
  })

  it('stand above the clauses they number', () => {
    expect(
      headings('4 Deposit\n4.1 The Tenant has paid a deposit.\n5 Term\n5.1 The term is ten years.'),
    ).toEqual(['3 4 Deposit', '3 5 Term'])
  })

  it('are not the items of a list, wrapped or not', () => {
    expect(headings('1. Alpha\n2. Beta\n3. Gamma\n')).toEqual([])
    expect(headings('1. Alpha\n\n2. Beta\n\n3. Gamma\n')).toEqual([])
    expect(headings('1. Corrected rate approaches but may not\n   exceed the boundary.\n')).toEqual([])
  })

  it('are not dates, addresses or amounts', () => {
    expect(headings(`3 June 2024\n\n${body}`)).toEqual([])
    expect(headings(`12 Mole Street\n\n${body}`)).toEqual([])
    expect(headings(`6.3 Audit of subcontractors:   yearly\n\n${body}`)).toEqual([])
  })

  it('go on from A to B, while an initial begins nothing', () => {
    expect(headings(`A. Amounts due\n\n${body}\n\nB. Time\n\n${body}`)).toEqual([
      '3 A. Amounts due',
      '3 B. Time',
    ])
    expect(headings(`C. Jarrity\n\n${body}`)).toEqual([])
  })

  it('may follow a keyword', () => {
    expect(
      headings(
        `ARTICLE IV\n\n${body}\n\nItem 3: Larkmoor, review\n\n${body}\n\nTable 14.1  Disposition\n\n${body}`,
      ),
    ).toEqual(['2 ARTICLE IV', '7 Item 3: Larkmoor, review', '8 Table 14.1 Disposition'])
    expect(headings('Lot 1: EUR 8.5m\nLot 2: EUR 2.4m\n\nSection 9.1, old text: "240 subjects"')).toEqual([])
  })
})

describe('headings by look', () => {
  it('are lines in capitals that stand free', () => {
    expect(headings(`RISK FACTORS\n\n${body}\n\nEXCESS (each loss)\n  Flood:   25`)).toEqual([
      '2 RISK FACTORS',
      '2 EXCESS (each loss)',
    ])
    expect(
      headings(`RISK RATING: HIGH\n\n${body}\n\nTITLE CANNOT BE CONFIRMED.\n\n${body}\nUN AND EU\n${body}`),
    ).toEqual([])
  })

  it('are lines in bold with room around them', () => {
    expect(headings(`**Closing remarks**\n\n${body}`)).toEqual(['7 Closing remarks'])
  })

  it('are short titles above prose, a list or indented text', () => {
    expect(headings(`Reason for the amendment\n\n${body}\n\nMaterials\n  Steel:   S355\n`)).toEqual([
      '7 Reason for the amendment',
      '7 Materials',
    ])
  })

  it('are not greetings, signatures or addresses', () => {
    expect(
      headings(`Dear Sirs\n\n${body}\n\nYours faithfully\n\nD. Quayle\nCredit control\n\n12 Mole Street`),
    ).toEqual([])
  })

  it('are labels with a colon before what they announce', () => {
    expect(headings('Documents enclosed:\n [x] articles\n\nHistology:\n  Squamous:   9')).toEqual([
      '9 Documents enclosed:',
      '9 Histology:',
    ])
  })

  it('are never longer than 200 characters', () => {
    expect(headings(`## ${'a'.repeat(200)}\n\n## ${'b'.repeat(201)}`)).toEqual([`2 ${'a'.repeat(200)}`])
  })
})

describe('the place of a passage', () => {
  it('is the path from the outermost heading to the innermost', () => {
    expect(path(`# T\n\n## A\n\n### B\n\n${body}`)).toEqual(['A', 'B'])
    expect(path(`# T\n\n## A\n\n### B\n\n## C\n\n${body}`)).toEqual(['C'])
  })

  it('puts a number under the heading it divides, whatever that looks like', () => {
    expect(path(`# T\n\nItem 3: Larkmoor\n\n${body}\n\n3.6 Actions\n\n${body}`)).toEqual([
      'Item 3: Larkmoor',
      '3.6 Actions',
    ])
  })

  it('leaves a label when the block that it announced is over', () => {
    expect(path(`# T\n\nEnclosed:\n\n- a\n\n- b`)).toEqual(['Enclosed:'])
    expect(path(`# T\n\nEnclosed:\n\n- a\n\n${body}`)).toEqual([])
    expect(path(`# T\n\nStage:\n  IV:   36\nSex:   male`)).toEqual([])
  })
})
