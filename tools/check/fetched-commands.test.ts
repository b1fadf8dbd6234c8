// Text that must not be committed is broken by a middle dot here, because this file is read by the check it tests.

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkFetched, checkManifest, installedCommands } from './fetched-commands.ts'

const installed = installedCommands(join(import.meta.dirname, '../..'))
const linesIn = (text: string) =>
  checkFetched('x.md', text.replaceAll('·', ''), installed).map(({ line, rule }) => `${line} ${rule}`)

describe('a command that would be fetched by a name that is not ours is found at its line', () => {
  it.each([
    ['our command', 'np·x concord summary'],
    ['a command of nobody here', 'run `np·x create-something`'],
    ['one with an option before it', 'np·x --yes concord'],
    ['an installed one that may be fetched anew', 'np·x -y vitest'],
    ['another runner', 'npm e·xec concord'],
    ['the command of a configuration', '"command": "np·x",'],
    ['the command of a process', "spawn('np·x', ['concord'])"],
    ['the installation of a package of ours', 'npm install @concor·d/client'],
  ])('%s', (_, text) => {
    expect(linesIn(`a\n${text}\nb`)).toEqual(['2 fetched command'])
  })
})

describe('what is installed by this repository is left alone', () => {
  it.each([
    ['a test runner', 'npx vitest run service/test'],
    ['the linter of the contract', 'npx redocly lint contract/openapi.json'],
    ['a script of ours', 'npm run demo'],
    ['the launcher', 'bin/concord summary'],
    ['a package from a file', 'npm install "$CONCORD_HOME/client/dist/concord-client-0.1.0.tgz"'],
  ])('%s', (_, text) => {
    expect(linesIn(text)).toEqual([])
  })
})

describe('a package that could be published', () => {
  it('is found where its manifest is not private', () => {
    const found = checkManifest('client/package.json', '{\n  "name": "x",\n  "private": false\n}')
    expect(found.map(({ rule }) => rule)).toEqual(['publishable package'])
  })

  it.each([
    ['a private manifest', 'package.json', '{\n  "name": "x",\n  "private": true\n}'],
    ['another file', 'tools/other.json', '{}'],
  ])('is not %s', (_, file, text) => {
    expect(checkManifest(file, text)).toEqual([])
  })
})
