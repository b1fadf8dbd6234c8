// Follows every relative link of every markdown file, and every mention of a page of docs/ anywhere: the file must be
// there, and so must the heading that the link names. Prints file:line; exits non-zero when a link leads nowhere.

import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { committedFiles } from './committed-text.ts'
import { headingSlugs, linesOfProse } from './markdown.ts'
import { formatFinding } from './source-files.ts'
import type { RuleFinding } from './source-files.ts'

/** The tree of files: the text of a file, nothing for a folder or a file that is no text, and undefined where there is none. */
export type Tree = ReadonlyMap<string, string>

const inlineLink = /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g
const mention = /(?<![\w/.-])docs\/[\w/-]+\.md/g
const elsewhere = /^[a-z][a-z0-9+.-]*:/i

/** A tree in which every folder has its place too. */
export function treeOf(files: ReadonlyMap<string, string>): Tree {
  const tree = new Map(files)
  for (const path of files.keys()) {
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder))
      tree.set(folder, '')
  }
  return tree
}

export function checkLinks(tree: Tree): RuleFinding[] {
  return [...tree].flatMap(([file, text]) => [
    ...(file.endsWith('.md') ? brokenLinks(tree, file, text) : []),
    ...goneMentions(tree, file, text),
  ])
}

function brokenLinks(tree: Tree, file: string, text: string): RuleFinding[] {
  return linesOfProse(text).flatMap(({ line, prose }) =>
    [...prose.matchAll(inlineLink)]
      .map(([, target = '']) => ({ target, fault: faultOf(tree, file, target) }))
      .flatMap(({ target, fault }) => (fault ? [finding(file, line, target, fault)] : [])),
  )
}

function faultOf(tree: Tree, file: string, target: string): string | undefined {
  if (elsewhere.test(target)) return undefined
  const [path = '', heading] = target.split('#')
  const place = path === '' ? file : posix.join(dirname(file), decodeURI(path)).replace(/\/$/, '')
  const text = place === '.' ? '' : tree.get(place)
  if (text === undefined) return 'there is no such file'
  if (heading === undefined || !place.endsWith('.md')) return undefined
  return headingSlugs(text).has(heading) ? undefined : `${place} has no such heading`
}

function goneMentions(tree: Tree, file: string, text: string): RuleFinding[] {
  if (!text.includes('docs/')) return []
  return text
    .split('\n')
    .flatMap((words, index) =>
      [...words.matchAll(mention)]
        .filter(([page]) => !tree.has(page))
        .map(([page]) => finding(file, index + 1, page, 'there is no such page')),
    )
}

function finding(file: string, line: number, target: string, fault: string): RuleFinding {
  return { file, line, rule: 'broken link', message: `${target}: ${fault}.` }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const files = committedFiles(root).map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
  const tree = treeOf(new Map(files))
  const findings = checkLinks(tree)
  for (const found of findings) console.error(formatFinding(found))
  console.log(
    `${files.filter(([path]) => path.endsWith('.md')).length} pages, ${findings.length} broken links`,
  )
  if (findings.length > 0) process.exitCode = 1
}
