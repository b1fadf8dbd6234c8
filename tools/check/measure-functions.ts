// Sizes of functions, read from the syntax tree. A function's lines include what is nested in it, so a factory
// closure or a plugin counts whole; the nested ones count again for themselves.

import { Visitor } from 'oxc-parser'
import type { ArrowFunctionExpression, Expression, Function, PropertyKey } from 'oxc-parser'
import type { SourceFile } from './source-files.ts'

export interface FunctionSize {
  /** Empty for a callback without a name. */
  name: string
  file: string
  line: number
  lines: number
  /** The body of a describe or a test: prose with assertions, as long as its story. */
  testBody: boolean
}

const testCalls = new Set(['describe', 'it', 'test', 'suite', 'bench'])

export function functionsOf(file: SourceFile): FunctionSize[] {
  const found: FunctionSize[] = []
  // Parents are visited first, so a function's name is known when its own turn comes.
  const names = new Map<object, string>()
  const bodies = new Set<object>()
  const measure = (node: Function | ArrowFunctionExpression): void => {
    if (node.body === null) return
    const line = file.lineAt(node.start)
    const name = names.get(node) ?? node.id?.name ?? ''
    const lines = file.lineAt(node.end) - line + 1
    found.push({ name, file: file.path, line, lines, testBody: bodies.has(node) })
  }
  new Visitor({
    VariableDeclarator: (node) => {
      if (node.init !== null && node.id.type === 'Identifier') names.set(node.init, node.id.name)
    },
    Property: (node) => void names.set(node.value, keyName(node.key)),
    MethodDefinition: (node) => void names.set(node.value, keyName(node.key)),
    PropertyDefinition: (node) => {
      if (node.value !== null) names.set(node.value, keyName(node.key))
    },
    CallExpression: (node) => {
      if (testCalls.has(rootName(node.callee))) for (const argument of node.arguments) bodies.add(argument)
    },
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(file.program)
  return found
}

function keyName(key: PropertyKey): string {
  if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') return key.name
  return key.type === 'Literal' ? String(key.value) : '[computed]'
}

// The first name of `it`, `it.each(…)`, `describe.concurrent.each(…)`.
function rootName(node: Expression | { type: 'Super' }): string {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') return rootName(node.object)
  if (node.type === 'CallExpression') return rootName(node.callee)
  return node.type === 'TaggedTemplateExpression' ? rootName(node.tag) : ''
}
