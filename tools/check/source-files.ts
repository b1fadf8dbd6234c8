// Finds and parses every source file of a tree. Paths are relative to the root and use forward slashes,
// so that a finding reads the same on every machine.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { Comment, Program } from 'oxc-parser'

export interface SourceFile {
  path: string
  text: string
  program: Program
  comments: readonly Comment[]
  /** The 1-based line that holds this offset. */
  lineAt(offset: number): number
}

/** One broken rule, at one place. */
export interface RuleFinding {
  file: string
  line: number
  rule: string
  message: string
}

const sourceName = /\.(ts|mts|cts|js|mjs|cjs)$/
const skippedFolders = new Set(['node_modules', 'coverage', 'dist'])

/** Reads the whole tree. A file that does not parse stops everything: no figure over half a tree is true. */
export function readSourceFiles(root: string): SourceFile[] {
  return sourcePaths(root, '').map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))
}

/** Parentheses are left out of the tree: `(process).env` is the same use as `process.env`. */
export function parseSource(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text, { preserveParens: false })
  const fault = parsed.errors[0]
  if (fault !== undefined) throw new Error(`${path} does not parse: ${fault.message}. Run tsc for the place.`)
  const starts = lineStarts(text)
  return {
    path,
    text,
    program: parsed.program,
    comments: parsed.comments,
    lineAt: (offset) => lineOf(starts, offset),
  }
}

/** A test, or a file that only tests use. */
export function isTest(path: string): boolean {
  return /\.test\.[mc]?[tj]s$/.test(path) || /(^|\/)test\//.test(path)
}

/** The first folder of a path; packages are folders at the root. */
export function packageOf(path: string): string {
  return path.split('/')[0] ?? path
}

export function formatFinding(finding: RuleFinding): string {
  return `${finding.file}:${finding.line}  ${finding.rule}: ${finding.message}`
}

function sourcePaths(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return isSkipped(entry.name) ? [] : sourcePaths(root, path)
      return entry.isFile() && sourceName.test(entry.name) ? [path] : []
    })
}

// Folders with a leading dot hold data and downloads (.git, .services), never the product's code.
function isSkipped(name: string): boolean {
  return name.startsWith('.') || skippedFolders.has(name)
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

// Binary search: the last line that starts at or before the offset.
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}
