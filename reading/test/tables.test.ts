import { describe, expect, it } from 'vitest'
import { readStructure } from '../src/structure.ts'
import { sketch } from './support/sketch.ts'

function kinds(text: string): string[] {
  return readStructure(text).tables.map((table) => table.kind)
}

describe('tables with bars', () => {
  it('have a header above the delimiter row', () => {
    expect(sketch('| Arm | Dose |\n|:--|--:|\n| A | 20 mg |\n| B | |')).toEqual([
      'row 0.0 head | Arm | Dose',
      'row 0.1 | A | 20 mg',
      'row 0.2 | B | ∅',
    ])
  })

  it('need no bars at the edges, and may hold a bar in a cell', () => {
    expect(sketch('  Metric  | Achieved\n  --------|---------\n  CPS1 \\| 2 | 142%')).toEqual([
      'row 0.0 head | Metric | Achieved',
      'row 0.1 | CPS1 \\| 2 | 142%',
    ])
  })

  it('may be drawn as a grid', () => {
    expect(sketch('+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+')).toEqual([
      'row 0.0 head | a | b',
      'row 0.1 | 1 | 2',
    ])
  })

  it('are not lines that hold a bar by chance', () => {
    expect(kinds('Granted: 2021 | Inventor: Meier\n\nx | y\nmore')).toEqual([])
    expect(kinds('|'.repeat(300))).toEqual([])
    expect(kinds(`${'|'.repeat(300)}\n${'|'.repeat(300)}`)).toEqual([])
  })
})

const disposition = `Table 14.1  Disposition

                            Placebo     20 mg
  -------------------------------------------
  Randomised                     90        90
  Discontinued                   13        11
    adverse event                 1         2
  Completed                      76        79
`

describe('tables aligned by spaces', () => {
  it('have columns where no row writes, a header above the ruler, and rows under rows', () => {
    expect(sketch(`# T\n\n${disposition}`).slice(2)).toEqual([
      'row 0.0 head @Table 14.1 Disposition | ∅ | Placebo | 20 mg',
      'row 0.1 @Table 14.1 Disposition | Randomised | 90 | 90',
      'row 0.2 @Table 14.1 Disposition | Discontinued | 13 | 11',
      'row 0.3 @Table 14.1 Disposition ^2 | adverse event | 1 | 2',
      'row 0.4 @Table 14.1 Disposition | Completed | 76 | 79',
    ])
    expect(readStructure(`# T\n\n${disposition}`).tables).toMatchObject([
      { kind: 'aligned', rows: 5, caption: 0, under: null },
    ])
  })

  it('may do without a ruler where the edges agree, the first row naming the columns', () => {
    expect(
      sketch(
        'Name             Appointed       Resigned\nColm Jarrity     3 May 2016      11 May 2020\nPetra Malkin     11 May 2020     -',
      ),
    ).toEqual([
      'row 0.0 head | Name | Appointed | Resigned',
      'row 0.1 | Colm Jarrity | 3 May 2016 | 11 May 2020',
      'row 0.2 | Petra Malkin | 11 May 2020 | -',
    ])
  })

  it('hang under the sentence or item that announces them', () => {
    const text =
      '2. The capital is held by the following persons:\n\n   Name        Share\n   -----------------\n   Anton       45 %\n'
    expect(readStructure(text).tables).toMatchObject([
      {
        under: 0,
        columns: [
          [53, 57],
          [65, 70],
        ],
      },
    ])
  })

  it('are not forms, justified prose, typed sentences or numbered clauses', () => {
    expect(kinds('Name:       Larkmoor\nNumber:     C 81944\nStatus:     active')).toEqual([])
    expect(
      kinds(
        'This  text was set   to fill the\nwhole  width of  its column  by\nmeans of   many spaces  inside.',
      ),
    ).toEqual([])
    expect(
      kinds('One sentence.  Another one.\nAnd a third.  And the last.\nNow the end.  That is all.'),
    ).toEqual([])
    expect(
      kinds('2.1  All piles are in place.\n2.2  Progress stood at 55.\n2.3  Formwork is erected.'),
    ).toEqual([])
  })
})

describe('tables kept apart by one sign', () => {
  it('may use tabs, with cells left empty at either end', () => {
    expect(sketch('\tFY22\tFY23\nSales\t1\t2\nCosts\t3\t\nProfit\t\t4')).toEqual([
      'row 0.0 head | ∅ | FY22 | FY23',
      'row 0.1 | Sales | 1 | 2',
      'row 0.2 | Costs | 3 | ∅',
      'row 0.3 | Profit | ∅ | 4',
    ])
  })

  it('may use semicolons, or commas without a space behind them', () => {
    expect(sketch('name;year;sum\nA;2022;"1;5"\nB;2023;7')).toEqual([
      'row 0.0 head | name | year | sum',
      'row 0.1 | A | 2022 | 1;5',
      'row 0.2 | B | 2023 | 7',
    ])
    expect(kinds('name,year,sum\nA,2022,15\nB,2023,7')).toEqual(['csv-like'])
  })

  it('are not prose, amounts or forms', () => {
    expect(
      kinds('We saw cats, dogs, and birds\nthen cows, pigs, and hens\nthen ants, bees, and worms'),
    ).toEqual([])
    expect(kinds('Total: EUR 249,687,500\nPaid: EUR 176,100,000\nLeft: EUR 113,587,500')).toEqual([])
    expect(kinds('Name:\tLarkmoor\nNumber:\tC 81944\nStatus:\tactive')).toEqual([])
  })
})
