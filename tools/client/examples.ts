/**
 * Examples are functions and files in client/examples: compiled like all code, run by a test, and copied from there into
 * comments and pages. What stands in a comment is what ran.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** The bodies of the exported functions, by name, and whole files by theirs. */
export function readExamples(folder: string): Map<string, string> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
  const found = new Map<string, string>()
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    found.set(file, text.trimEnd())
    for (const [name, body] of functionsIn(file, text)) {
      if (found.has(name.replace(/Example$/, ''))) throw new Error(`There are two examples called ${name}.`)
      found.set(name.replace(/Example$/, ''), body)
    }
  }
  return found
}

function functionsIn(file: string, text: string): [string, string][] {
  return parseSync(file, text).program.body.flatMap((statement): [string, string][] => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { declaration } = statement
    if (declaration?.type !== 'FunctionDeclaration' || !declaration.id || !declaration.body) return []
    const { start, end } = declaration.body
    return [[declaration.id.name, dedent(text.slice(start + 1, end - 1))]]
  })
}

function dedent(body: string): string {
  const lines = body.split('\n').map((line) => line.replace(/^ {2}/, ''))
  return lines.join('\n').trim()
}

/** Puts the example of each function that has one into the comment above it. */
export function refreshComments(source: string, examples: ReadonlyMap<string, string>): string {
  const comment =
    /( *)\/\*\*(?:(?!\*\/)[\s\S])*?@example\n(?:(?!\*\/)[\s\S])*?\*\/\n *(?:export )?(?:async )?(?:function |class |readonly )?(\w+)/g
  return source.replaceAll(comment, (whole, indent: string, name: string) => {
    const example = examples.get(name)
    if (example === undefined) throw new Error(`There is no example called ${name} in client/examples.`)
    const lines = example.split('\n').map((line) => `${indent} * ${line}`.trimEnd())
    return whole.replace(/@example\n[\s\S]*?\*\//, () => `@example\n${lines.join('\n')}\n${indent} */`)
  })
}

/** Puts examples into a page: after `<!-- example: NAME -->` the fenced block that follows is theirs. */
export function refreshPage(page: string, examples: ReadonlyMap<string, string>): string {
  const block = /<!-- example: ([\w.-]+) -->\n```\w+\n[\s\S]*?```/g
  return page.replaceAll(block, (_, name: string) => {
    const example = examples.get(name)
    if (example === undefined) throw new Error(`There is no example called ${name} in client/examples.`)
    return `<!-- example: ${name} -->\n\`\`\`ts\n${example}\n\`\`\``
  })
}
