/** Changes the statement, property or element that begins on the line after a marker in TypeScript. */
import { parseSync, visitorKeys } from 'oxc-parser'
import type { Node, Program } from 'oxc-parser'
import type { SourceChange, SourcePart } from './changes.ts'

interface Span {
  readonly start: number
  readonly end: number
}

/** `at` is the offset of the marker. Lines of other comments may stand between it and the code. */
export function changeMarkedCode(text: string, at: number, change: SourceChange): string {
  const node = findMarked(parseProgram(text), text, at)
  switch (change.kind) {
    case 'insert':
      if (change.side === 'after') return splice(text, node, insertBehind(text, node, change.code))
      if (!isStatement(node)) throw new Error(`a ${node.type} takes nothing before it`)
      // Above the marker, so that the marker still stands before the same code.
      return splice(text, { start: at, end: at }, `;${change.code};\n`)
    case 'drop':
      return dropNode(text, node)
    case 'rewrite': {
      const part = findPart(node, change.part)
      return splice(text, part, change.to(text.slice(part.start, part.end)))
    }
  }
}

/** Throws where the text is no TypeScript. */
export function parseProgram(text: string): Program {
  const { program, errors } = parseSync('marked.ts', text)
  if (errors[0]) throw new Error(errors[0].message)
  return program
}

/** The largest node that begins where the next line of code does. */
function findMarked(program: Program, text: string, at: number): Node {
  const start = at + (/^(?:[ \t]*\/\/.*\n|\s)*/.exec(text.slice(at))?.[0].length ?? 0)
  let found: Node | undefined
  for (const node of nodesIn(program))
    if (node.type !== 'Program' && node.start === start && node.end > (found?.end ?? 0)) found = node
  if (!found) throw new Error('nothing begins on the line after the marker')
  return found
}

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const key of visitorKeys[node.type] ?? []) {
    const children: unknown = Reflect.get(node, key)
    for (const child of Array.isArray(children) ? children : [children])
      if (isNode(child)) yield* nodesIn(child)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function isStatement({ type }: Node): boolean {
  return /(?:Statement|Declaration)$/.test(type)
}

/** Code after a `return` runs once its result is there. */
function insertBehind(text: string, node: Node, code: string): string {
  const own = text.slice(node.start, node.end)
  if (node.type === 'ReturnStatement' && node.argument)
    return `{ const returned = await (${textOf(text, node.argument)})\n;${code};\nreturn returned }`
  return isStatement(node) ? `${own}\n;${code};` : `${own}, ${code}`
}

function dropNode(text: string, node: Node): string {
  if (isStatement(node)) return splice(text, node, ';')
  const comma = /^\s*,/.exec(text.slice(node.end))?.[0].length ?? 0
  return splice(text, { start: node.start, end: node.end + comma }, '')
}

function findPart(node: Node, part: SourcePart): Span {
  const found = part === 'all' ? node : part === 'condition' ? conditionOf(node) : valueOf(node)
  if (!found) throw new Error(`a ${node.type} has no ${part}`)
  return found
}

function conditionOf(node: Node): Node | null {
  if (node.type === 'IfStatement') return node.test
  const { argument } = node.type === 'ReturnStatement' ? node : { argument: null }
  return argument?.type === 'ConditionalExpression' ? argument.test : null
}

function valueOf(node: Node): Node | null {
  switch (node.type) {
    case 'ReturnStatement':
      return node.argument
    case 'Property':
      return node.value
    case 'VariableDeclaration':
      return node.declarations[0]?.init ?? null
    case 'ExportNamedDeclaration':
      return node.declaration && valueOf(node.declaration)
    case 'ExpressionStatement':
      return node.expression.type === 'AssignmentExpression' ? node.expression.right : node.expression
    default:
      return null
  }
}

function textOf(text: string, { start, end }: Span): string {
  return text.slice(start, end)
}

function splice(text: string, { start, end }: Span, middle: string): string {
  return text.slice(0, start) + middle + text.slice(end)
}
