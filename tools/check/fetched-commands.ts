// Looks for commands that a package manager would fetch from a registry by a name that is not ours: whoever follows such a line outside
// of the clone runs a stranger's program.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RuleFinding } from './source-files.ts'

// Broken by brackets, because this file is read by its own check.
const RUNNERS = String.raw`\b(?:np[x]|npm e[x]ec|pnpm dl[x]|yarn dl[x]|bun[x])\b`
const STARTED = new RegExp(String.raw`${RUNNERS}((?:\s+-\S+)*)\s+([@\w./-]+)`, 'g')
/** A name in the command of a configuration, where its name is elsewhere. */
const CONFIGURED = /["'](?:np[x]|bun[x])["']/
/** None of our packages is on a registry. */
const INSTALLED = /\bnpm (?:i|install|add)\b[^`\n]*\s@concor[d]\//
/** Without this npm would publish a package of ours under a name that may be somebody else's. */
const PRIVATE = /^ {2}"private": true,?$/m
const ADVICE = 'Name bin/concord, a command that package-lock.json installs, or a file of the clone.'

/** Finds each line that starts or installs something by a name that `installed` does not have. */
export function checkFetched(file: string, text: string, installed: ReadonlySet<string>): RuleFinding[] {
  if (text.includes('\0')) return []
  return text.split('\n').flatMap((line, index) => {
    const isFetched =
      CONFIGURED.test(line) ||
      INSTALLED.test(line) ||
      [...line.matchAll(STARTED)].some(([, options, name = '']) => options !== '' || !installed.has(name))
    return isFetched ? [{ file, line: index + 1, rule: 'fetched command', message: ADVICE }] : []
  })
}

/** Finds a manifest that npm would publish. */
export function checkManifest(file: string, text: string): RuleFinding[] {
  if (!/(^|\/)package\.json$/.test(file) || PRIVATE.test(text)) return []
  const message = 'Nothing of this repository is published: write "private": true.'
  return [{ file, line: 1, rule: 'publishable package', message }]
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly bin?: Readonly<Record<string, string>> }>>
}

/** The commands of the packages that the lockfile installs; those of our own packages are on no registry. */
export function installedCommands(root: string): Set<string> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const fetched = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'))
  return new Set(fetched.flatMap(([, { bin = {} }]) => Object.keys(bin)))
}
