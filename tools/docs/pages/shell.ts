// One shell for all the commands of a page, as the reader has one terminal: what a command exports, the next ones know.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'

export interface Shell {
  /** Everything that was printed, on both streams, and how the last command ended. */
  run(script: string): Promise<{ readonly output: string; readonly code: number }>
  close(): void
}

export function openShell(cwd: string, env: Readonly<Record<string, string>>): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  let look: (() => void) | undefined
  const gone = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error(`The shell ended:\n${printed}`)))
  })
  // Nobody may be waiting when it is closed.
  gone.catch(() => undefined)
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
    look?.()
  })
  child.stdin.write('exec 2>&1\n')
  return {
    async run(script) {
      const mark = `end-${randomUUID()}`
      printed = ''
      // The input that a command reads is not the rest of the page.
      child.stdin.write(`{ ${script}\n} </dev/null\nprintf '\\n%s %s\\n' ${mark} $?\n`)
      const ended = Promise.withResolvers<{ output: string; code: number }>()
      look = () => {
        const [output = '', code] = printed.split(`\n${mark} `)
        if (code?.endsWith('\n')) ended.resolve({ output, code: Number(code) })
      }
      return Promise.race([ended.promise, gone])
    },
    close: () => void child.kill('SIGKILL'),
  }
}
