// Looks through everything that is or would be committed for text that belongs to one machine or one moment: registry
// hosts, home folders, notes to do later, focused tests, commands of strangers. Prints file:line; exits non-zero when something is found.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkFetched, checkManifest, installedCommands } from './fetched-commands.ts'
import { formatFinding } from './source-files.ts'
import type { RuleFinding } from './source-files.ts'

interface Pattern {
  rule: string
  expression: RegExp
  advice: string
}

// The words are put together from pieces or broken by brackets, because this file is read by its own check.
const dot = '\\.'
const hosts = [
  ['registry', 'npmjs', 'org'],
  ['registry', 'yarnpkg', 'com'],
  ['deb', 'debian', 'org'],
]
const hostNames = hosts.map((names) => names.join(dot)).join('|')
// A private mirror has a name nobody can list here, but it is called what it is. Names that are reserved for examples
// (RFC 2606) lead nowhere and may be written.
const host = '[^/\\s]*'
const mirrors = `https?://(?!${host}\\.(invalid|test|example)\\b)(?!${host}example\\.(com|net|org)\\b)${host}\\b(${['registry', 'npm', 'deb', 'apt', 'mirror'].join('|')})\\b`
// Not after a word, a dot or a slash: those are parts of longer, relative or remote paths.
const rootFolder = '(?<![\\w.\\-/*}])/'

const patterns: readonly Pattern[] = [
  {
    rule: 'registry host',
    expression: new RegExp(`${hostNames}|${mirrors}`, 'i'),
    advice: 'Name the package; where it comes from is the business of the machine.',
  },
  {
    rule: 'machine path',
    expression: new RegExp(`${rootFolder}(${['work', 'root'].join('|')})/|${rootFolder}(home|Users)/\\w`),
    advice: 'Write the path relative to the repository, or take it as an argument.',
  },
  {
    rule: 'note for later',
    expression: /\b(TO[D]O|FIX[M]E)\b/,
    advice: 'Do it now, or write it down where work is planned.',
  },
  {
    rule: 'focused test',
    expression: new RegExp(`\\b(describe|it|test|suite|bench)(${dot}\\w+)*${dot}only\\b`),
    advice: 'A focused test hides all the others; take the word out.',
  },
  {
    rule: 'name of the address',
    expression: new RegExp(`(\\$\\{?|\\bexport |\\bconst \\{ )CON[C]ORD\\b(?!_)`),
    advice: 'The address of the service is CONCORD_URL everywhere.',
  },
  {
    rule: 'merge marker',
    expression: new RegExp(`^(${'<'.repeat(7)}|${'>'.repeat(7)}) `),
    advice: 'Finish the merge.',
  },
]

export function checkText(file: string, text: string): RuleFinding[] {
  // A zero byte means that this is no text.
  if (text.includes('\0')) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      patterns
        .filter(({ expression }) => expression.test(line))
        .map(({ rule, advice }) => ({ file, line: index + 1, rule, message: advice })),
    )
}

/** The files that git tracks, and what it would track with the next commit. */
export function committedFiles(root: string): string[] {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const paths = listed.split('\0').filter((path) => path !== '')
  // A file that was deleted but not yet committed is still listed.
  return [...new Set(paths)].filter((path) => existsSync(join(root, path)))
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const files = committedFiles(root)
  const installed = installedCommands(root)
  const findings = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...checkText(file, text), ...checkFetched(file, text, installed), ...checkManifest(file, text)]
  })
  for (const finding of findings) console.error(formatFinding(finding))
  console.log(`${files.length} files, ${findings.length} findings`)
  if (findings.length > 0) process.exitCode = 1
}
