/** Questions to a person at the terminal. */
import { createInterface } from 'node:readline/promises'

export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

export async function ask(question: string, fallback?: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const hint = fallback === undefined ? '' : ` [${fallback}]`
    const answer = (await lines.question(`${question}${hint}: `)).trim()
    return answer === '' && fallback !== undefined ? fallback : answer
  } finally {
    lines.close()
  }
}

const ENTER = new Set(['\r', '\n', '\u0004'])
const INTERRUPT = '\u0003'
const ERASE = new Set(['\u007F', '\b'])

/** What is typed is shown nowhere. */
export async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(`${question}: `)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  let typed = ''
  try {
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === INTERRUPT) throw new Error('Interrupted; nothing was kept.')
        if (ENTER.has(character)) return typed.trim()
        typed = ERASE.has(character) ? typed.slice(0, -1) : typed + character
      }
    }
    return typed.trim()
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
