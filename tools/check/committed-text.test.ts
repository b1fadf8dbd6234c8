// Text that must not be committed is broken by a middle dot here, because this file is read by the check it tests.

import { describe, expect, it } from 'vitest'
import { checkText } from './committed-text.ts'

function rulesIn(text: string): string[] {
  return checkText('x.md', text.replaceAll('·', '')).map(({ line, rule }) => `${line} ${rule}`)
}

describe('text that must not be committed is found at its line', () => {
  const planted: [name: string, text: string, rule: string][] = [
    ['the public npm registry', 'registry·.npmjs·.org', 'registry host'],
    ['the Debian archive', 'http:·//deb·.debian·.org/debian', 'registry host'],
    ['a private registry', 'https:·//npm.acme.dev/zod', 'registry host'],
    ['a private registry by its port', 'http:·//my-registry:4873/zod', 'registry host'],
    ['a private mirror', 'https:·//mirror.acme.dev/pool', 'registry host'],
    ['the home of root', 'cd /·root/x', 'machine path'],
    ['the home of a user', '"/·home/ann/x"', 'machine path'],
    ['the home of a user on a Mac', 'at /·Users/ann/x', 'machine path'],
    ['a working folder', 'in /·work/x', 'machine path'],
    ['a note for later', '// TO·DO: later', 'note for later'],
    ['a note about a fault', 'FIX·ME', 'note for later'],
    ['a focused test', `it.·only('x')`, 'focused test'],
    ['a focused group', `describe.concurrent.·only('x')`, 'focused test'],
    ['another name of the address', 'curl $CON·CORD/api/scopes', 'name of the address'],
    ['another name of the address, set', 'export CON·CORD=http://a', 'name of the address'],
    ['an unfinished merge', '<<<<·<<< HEAD', 'merge marker'],
  ]
  it.each(planted)('%s', (_, text, rule) => {
    expect(rulesIn(`a\n${text}\nb`)).toEqual([`2 ${rule}`])
  })
})

describe('text that looks alike is left alone', () => {
  it.each([
    ['a package named in prose', 'zod comes from the npm registry'],
    ['a page about a package', 'https://github.com/npm/cli'],
    ['a registry that cannot exist', 'http://mirror.invalid/debian and https://npm.example.com/zod'],
    ['a local server', 'http://127.0.0.1:4222'],
    ['a relative path', '../work/x and src/home/ann and a/root/b'],
    ['a route', 'GET /admin/work/items'],
    ['an object with a key called only', 'options.only(1)'],
    ['a longer word', 'TODOS, mastodon'],
    ['the name of the address', 'curl $CONCORD_URL/api and ${CONCORD_URL}'],
  ])('%s', (_, text) => {
    expect(rulesIn(text)).toEqual([])
  })

  it('bytes that are no text', () => {
    expect(rulesIn('\0 TO·DO')).toEqual([])
  })
})
