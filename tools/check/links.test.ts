import { describe, expect, it } from 'vitest'
import { checkLinks, treeOf } from './links.ts'

// Put together, because this file is read by the check it tests.
const docs = 'docs'
const page = ['# Keys', '', '## To rotate: `concord keys`', '', '## Twice', '', '## Twice'].join('\n')

function broken(text: string, file = `${docs}/how-to/a.md`): string[] {
  const tree = treeOf(
    new Map([
      [file, text],
      [`${docs}/reference/keys.md`, page],
      ['tools/x.ts', ''],
    ]),
  )
  return checkLinks(tree).map(({ line, message }) => `${line} ${message}`)
}

describe('a link that leads nowhere is found at its line', () => {
  it.each([
    ['to a file', 'a\n[x](../reference/gone.md)', '2 ../reference/gone.md: there is no such file.'],
    [
      'to a heading',
      '[x](../reference/keys.md#gone)',
      `1 ../reference/keys.md#gone: ${docs}/reference/keys.md has no such heading.`,
    ],
    ['to a heading of its own', '# A\n[x](#b)', `2 #b: ${docs}/how-to/a.md has no such heading.`],
    ['to a folder', '[x](../tutorial/)', '1 ../tutorial/: there is no such file.'],
    [
      'that is the second in its line',
      '[x](../reference/keys.md) [y](y.md)',
      '1 y.md: there is no such file.',
    ],
    ['after a block of code', '```\n# no\n```\n[x](y.md)', '4 y.md: there is no such file.'],
  ])('%s', (_, text, found) => {
    expect(broken(text)).toEqual([found])
  })

  it('a page that is only mentioned, in code too', () => {
    const gone = `${docs}/gone.md`
    expect(broken(`// see ${gone}`, 'tools/y.ts')).toEqual([`1 ${gone}: there is no such page.`])
  })
})

describe('a link that leads somewhere is left alone', () => {
  it.each([
    ['a file', '[x](../reference/keys.md)'],
    ['a heading with code and a colon', '[x](../reference/keys.md#to-rotate-concord-keys)'],
    ['the second heading of a name', '[x](../reference/keys.md#twice-1)'],
    ['a folder, and the root', '[x](../reference) [y](../..)'],
    ['a line of a file that is no page', '[x](../../tools/x.ts#L12)'],
    ['another site', '[x](https://example.com/y.md#z) [m](mailto:a@example.com)'],
    ['code that looks like one', '`[x](y.md)`\n```\n[x](y.md)\n```'],
    ['a mention of a page that is there', `see ${docs}/reference/keys.md and ../${docs}/x.md`],
  ])('%s', (_, text) => {
    expect(broken(text)).toEqual([])
  })
})
