// Lists what a file imports: statements, re-exports, dynamic imports and `import('…')` types.
// An import counts as types only when the whole statement is `import type`: an inline `type` is erased to an
// empty import, which still loads the module.

import { Visitor } from 'oxc-parser'
import type { Expression } from 'oxc-parser'
import type { SourceFile } from './source-files.ts'

export interface Import {
  /** The text between the quotes, or undefined where the program computes it. */
  specifier: string | undefined
  kind: 'runtime' | 'types'
  line: number
}

export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = []
  const add = (start: number, specifier: string | undefined, kind: Import['kind']): void => {
    found.push({ specifier, kind, line: file.lineAt(start) })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.start, node.source.value, kindOf(node.importKind)),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.start, node.source.value, kindOf(node.exportKind))
    },
    ExportAllDeclaration: (node) => add(node.start, node.source.value, kindOf(node.exportKind)),
    ImportExpression: (node) => add(node.start, literal(node.source), 'runtime'),
    TSImportType: (node) => add(node.start, node.source.value, 'types'),
    // Old habit, and a way around every rule above; found so that it can be refused like the others.
    CallExpression: (node) => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'require') return
      const [argument] = node.arguments
      add(node.start, argument?.type === 'SpreadElement' ? undefined : literal(argument), 'runtime')
    },
  }).visit(file.program)
  return found
}

function kindOf(kind: 'type' | 'value' | undefined): Import['kind'] {
  return kind === 'type' ? 'types' : 'runtime'
}

function literal(node: Expression | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}
