// Finds what a file uses without importing it: properties of the global `process`, and calls that replace a module
// by a mock. Read from the syntax tree, so text in strings and comments does not count.

import { Visitor } from 'oxc-parser'
import type { Expression, MemberExpression, PropertyKey } from 'oxc-parser'
import type { SourceFile } from './source-files.ts'

export interface Use {
  name: string
  line: number
}

/** `process.env`, `process['exit']`, `globalThis.process.env` and `const { env } = process`, by the name `process.…`. */
export function processUses(file: SourceFile): Use[] {
  const found: Use[] = []
  const add = (property: string | undefined, start: number): void => {
    if (property !== undefined) found.push({ name: `process.${property}`, line: file.lineAt(start) })
  }
  new Visitor({
    MemberExpression: (node) => {
      if (isProcess(node.object)) add(propertyOf(node), node.start)
    },
    VariableDeclarator: (node) => {
      if (node.id.type !== 'ObjectPattern' || node.init === null || !isProcess(node.init)) return
      for (const property of node.id.properties)
        if (property.type === 'Property') add(keyName(property.key), property.start)
    },
  }).visit(file.program)
  return found
}

// `mock.module` is how the test runner of Node says it.
const mockers = new Set(['vi', 'vitest', 'jest', 'mock'])
const mockCalls = new Set(['mock', 'doMock', 'setMock', 'unstable_mockModule', 'module'])

/** `vi.mock`, `vi.doMock`, `jest.mock` and the like, also where `vi` was imported under another name. */
export function moduleMocks(file: SourceFile): Use[] {
  const found: Use[] = []
  const names = new Set(mockers)
  new Visitor({
    ImportSpecifier: (node) => {
      if (node.imported.type === 'Identifier' && mockers.has(node.imported.name)) names.add(node.local.name)
    },
    CallExpression: (node) => {
      if (node.callee.type !== 'MemberExpression' || node.callee.object.type !== 'Identifier') return
      const name = propertyOf(node.callee)
      if (name === undefined || !names.has(node.callee.object.name) || !mockCalls.has(name)) return
      found.push({ name: `${node.callee.object.name}.${name}`, line: file.lineAt(node.start) })
    },
  }).visit(file.program)
  return found
}

// A local variable called process is taken for the global one; give it a better name.
function isProcess(node: Expression | { type: 'Super' }): boolean {
  if (node.type === 'Identifier') return node.name === 'process'
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    (node.object.name === 'globalThis' || node.object.name === 'global') &&
    propertyOf(node) === 'process'
  )
}

// A computed name that is no literal cannot be known here, and nobody writes one by accident.
function propertyOf(node: MemberExpression): string | undefined {
  if (!node.computed) return node.property.name
  return node.property.type === 'Literal' ? String(node.property.value) : undefined
}

function keyName(key: PropertyKey): string | undefined {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : undefined
}
