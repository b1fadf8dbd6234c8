/**
 * Texts of any length that make a careless reader run away: whoever looks again from the start at every sign, or tries every
 * way to split a run, takes the square of the time for twice the length.
 */

export interface Shape {
  readonly name: string
  /** Draws a text of about so many characters. */
  readonly of: (characters: number) => string
}

export const shapes: readonly Shape[] = [
  repeating(
    'letters',
    'The monthly rent of the Lisbon site was EUR 4,200 in March 2021. It fell to EUR 3,900 later.\n\n',
  ),
  repeating('one line of prose', 'The supplier delivered 40 units on 3 May 2022, and 12 were returned. '),
  repeating('one sentence without an end', 'the rent was 40 euros and the headcount was 12 and '),
  repeating('digits', '1234567890'),
  repeating('digits and commas', '1,1,'),
  repeating('digits and points', '1.1.'),
  repeating('digits and blanks', '1 000 '),
  repeating('digits and dashes', '1-2–'),
  repeating('digits and slashes', '1/2/'),
  repeating('numbers with units', '5 %EUR '),
  repeating('number words', 'twenty-one hundred and '),
  repeating('dates', '3 May 2021, '),
  repeating('months', 'May March '),
  repeating('currencies', 'EUR $€ '),
  repeating('commas', ','),
  repeating('blanks', ' '),
  repeating('one letter', 'a'),
  repeating('a a a', 'a '),
  repeating('capital words', 'Alpha Beta Gamma '),
  repeating('one capital word after the other', 'A'),
  repeating('hyphened words', 'well-known-'),
  repeating('and and and', 'and not or '),
  repeating('negations', 'no not never '),
  repeating('corrections', 'not 4.8m but from 3 to '),
  repeating('previously', '5 (previously 4) '),
  nested('nested brackets', '(', ')'),
  repeating('opened brackets', '('),
  repeating('closed brackets', ')'),
  repeating('acronyms in brackets', 'Long Form (LF) '),
  repeating('numbers in brackets', '(4.8) (12 %) '),
  repeating('opened quotes', '“'),
  repeating('unbalanced quotes', 'he said "the rent is 5 '),
  repeating('apostrophes', "the suppliers' "),
  repeating('headings', '# Revenue 2021\n\n'),
  repeating('deeper and deeper headings', '1.1.1 Rent\n'),
  repeating('labels', 'Rent:\n'),
  repeating('forms', 'Monthly rent:    EUR 500\n'),
  repeating('one key after the other', 'Rent: 5; '),
  repeating('colons', ':'),
  repeating('tables', 'Item | 2020 | 2021\n---|---|---\nRevenue | 5 | 6\n\n'),
  repeating('one table', '| Revenue | 5 EUR | 6 EUR |\n'),
  repeating('one wide row', '| 5 EUR '),
  repeating('tabs', 'a\t5\t'),
  repeating('lists', '- the rent is EUR 5\n'),
  repeating('quotations', '> The rent is EUR 5.\n'),
  repeating('messages', 'From: A\nDate: 3 May 2021\n\nThe rent is EUR 5.\n\n'),
  repeating('abbreviations', 'e.g. Mr. No. '),
  repeating('semicolons', 'rent 5; '),
  repeating('empty lines', '\n'),
  repeating('line after line, with ends of the other kind', 'rent 5\r\n'),
  repeating('combining marks', '\u0301'),
  repeating('emoji', '😀'),
  repeating('right to left', 'שכר 5 '),
]

function repeating(name: string, piece: string): Shape {
  return { name, of: (characters) => piece.repeat(Math.ceil(characters / piece.length)) }
}

function nested(name: string, open: string, close: string): Shape {
  return { name, of: (characters) => `${open.repeat(characters / 2)}5${close.repeat(characters / 2)}` }
}
