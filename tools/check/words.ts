// The rules about words, as far as a program can tell: a type has a name of its own, a maximum begins with max,
// and a comment begins as a sentence does.

import { Visitor } from 'oxc-parser'
import type { SourceFile } from './source-files.ts'

export interface ExportedType {
  readonly name: string
  readonly place: string
}

/** Types that the client has from the wire are named by the wire, and the server may name them alike. */
export function exportedTypes(file: SourceFile): ExportedType[] {
  if (file.path.includes('/generated/')) return []
  return file.program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { declaration } = statement
    switch (declaration?.type) {
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'ClassDeclaration': {
        const name = declaration.id?.name
        return name === undefined ? [] : [{ name, place: `${file.path}:${file.lineAt(declaration.start)}` }]
      }
      default:
        return []
    }
  })
}

/** Each name that two files export, with its places. */
export function sharedTypeNames(types: readonly ExportedType[]): string[] {
  const byName = Map.groupBy(types, ({ name }) => name)
  return [...byName]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) => `${name}: ${found.map(({ place }) => place).join(', ')}`)
}

/** A prefix `most` that is an order and no maximum. */
const superlatives = new Set(['mostSevereFirst', 'mostRelevant'])

/** Names that begin with `most` where a reader searches for `max`. */
export function maximaWithoutMax(file: SourceFile): string[] {
  const found: string[] = []
  new Visitor({
    Identifier: ({ name, start }) => {
      if (/^(most[A-Z]|MOST_)/.test(name) && !superlatives.has(name))
        found.push(`${file.path}:${file.lineAt(start)} ${name}`)
    },
  }).visit(file.program)
  return found
}

const fragment = /^(Of|What|Who|Whoever|So many|As)\b(?! (soon|long|of)\b)/

/** Comments that begin as half a sentence. One that asks something may begin with What or Who. Generated ones are descriptions. */
export function commentFragments(file: SourceFile): string[] {
  if (file.path.includes('/generated/')) return []
  return commentBlocks(file)
    .filter(({ text }) => isFragment(text))
    .map(({ text, line }) => `${file.path}:${line} ${text.slice(0, 60)}`)
}

/** The same in files whose comments begin with `--` or `#`. */
export function lineCommentFragments(path: string, text: string): string[] {
  const lines = text.split('\n').map((line) => /^\s*(?:--|#)\s+(.*)$/.exec(line)?.[1])
  return lines.flatMap((line, index) => {
    if (line === undefined || lines[index - 1] !== undefined) return []
    const rest = lines.slice(index, lines.indexOf(undefined, index)).join(' ')
    return isFragment(rest) ? [`${path}:${index + 1} ${rest.slice(0, 60)}`] : []
  })
}

function isFragment(text: string): boolean {
  const [sentence = ''] = text.split(/(?<=[.?!])(\s|$)/, 1)
  return fragment.test(text) && !sentence.endsWith('?')
}

interface CommentBlock {
  readonly text: string
  readonly line: number
}

// Line comments below one another are one text.
function commentBlocks(file: SourceFile): CommentBlock[] {
  const blocks: (CommentBlock & { last: number })[] = []
  for (const comment of file.comments) {
    const line = file.lineAt(comment.start)
    const text = comment.value.replaceAll(/^[\s*]+/gm, '').trim()
    const before = blocks.at(-1)
    if (comment.type === 'Line' && before?.last === line - 1 && standsAlone(file, comment.start))
      blocks.splice(-1, 1, { text: `${before.text} ${text}`, line: before.line, last: line })
    else blocks.push({ text, line, last: comment.type === 'Line' ? line : -1 })
  }
  return blocks
}

function standsAlone({ text }: SourceFile, start: number): boolean {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === ''
}
