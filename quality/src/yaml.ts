/**
 * Reads the little of YAML that the reference's labels use: nested maps and lists by indentation, scalars plain or quoted,
 * plain ones continued on deeper lines. Anything else is taken as text.
 */

export type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml }

interface Line {
  readonly indent: number
  readonly text: string
}

interface Cursor {
  readonly lines: readonly Line[]
  at: number
}

export function readYaml(text: string): Yaml {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }))
  return readNode({ lines, at: 0 })
}

function readNode(cursor: Cursor): Yaml {
  const line = cursor.lines[cursor.at]
  if (line === undefined) return ''
  return line.text.startsWith('- ') ? readList(cursor, line.indent) : readMap(cursor, line.indent)
}

function readList(cursor: Cursor, indent: number): readonly Yaml[] {
  const items: Yaml[] = []
  for (let line = cursor.lines[cursor.at]; line?.indent === indent && line.text.startsWith('- ');) {
    const rest = line.text.slice(2)
    // The item's first line stands as though it began a block of its own, two columns deeper.
    const lines = cursor.lines.with(cursor.at, { indent: indent + 2, text: rest })
    const inner: Cursor = { lines, at: cursor.at }
    items.push(keyOf(rest) === undefined ? readScalar(inner, rest, indent) : readMap(inner, indent + 2))
    cursor.at = inner.at
    line = cursor.lines[cursor.at]
  }
  return items
}

function readMap(cursor: Cursor, indent: number): { readonly [key: string]: Yaml } {
  const entries: [string, Yaml][] = []
  for (let line = cursor.lines[cursor.at]; line?.indent === indent; line = cursor.lines[cursor.at]) {
    const found = keyOf(line.text)
    if (found === undefined) break
    entries.push([found.key, readValue(cursor, found.rest, indent)])
  }
  return Object.fromEntries(entries)
}

function readValue(cursor: Cursor, rest: string, indent: number): Yaml {
  if (rest !== '') return readScalar(cursor, rest, indent)
  cursor.at += 1
  const next = cursor.lines[cursor.at]
  if (next === undefined || next.indent < indent) return ''
  // A list may stand as deep as the key that holds it.
  return next.indent > indent || next.text.startsWith('- ') ? readNode(cursor) : ''
}

function readScalar(cursor: Cursor, first: string, indent: number): string {
  const parts = [first]
  cursor.at += 1
  for (let line = cursor.lines[cursor.at]; line !== undefined && line.indent > indent;) {
    parts.push(line.text)
    cursor.at += 1
    line = cursor.lines[cursor.at]
  }
  return unquote(parts.join(' '))
}

function keyOf(text: string): { readonly key: string; readonly rest: string } | undefined {
  const found = /^([A-Za-z_][\w-]*):(?:\s+(.*))?$/.exec(text)
  return found?.[1] === undefined ? undefined : { key: found[1], rest: found[2] ?? '' }
}

function unquote(text: string): string {
  const found = /^(["'])(.*)\1$/.exec(text)
  return found?.[2] ?? text
}

/** The members of a list; nothing where there is none. */
export function listAt(node: Yaml | undefined, key: string): readonly Yaml[] {
  const found = at(node, key)
  return Array.isArray(found) ? (found as readonly Yaml[]) : []
}

export function textAt(node: Yaml | undefined, key: string): string {
  const found = at(node, key)
  return typeof found === 'string' ? found : ''
}

function at(node: Yaml | undefined, key: string): Yaml | undefined {
  return typeof node === 'object' && !Array.isArray(node) ? (node as Record<string, Yaml>)[key] : undefined
}
