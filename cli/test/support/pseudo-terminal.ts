/** A command on a real pseudo-terminal, made by `script` of util-linux, with a person who types. */
import { spawn } from 'node:child_process'
import { waitUntil } from '@concord/tools/launch'

export interface PseudoTerminal {
  /** Everything the screen has shown. */
  screen(): string
  /** Waits until the screen shows the question after the last answer, then types. */
  answer(question: string, typed: string): Promise<void>
  /** The exit code of the command. */
  readonly exited: Promise<number | null>
}

export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'

const quote = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`

export function openPseudoTerminal(
  command: readonly string[],
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): PseudoTerminal {
  const line = command.map(quote).join(' ')
  const child = spawn('script', ['-q', '-e', '-E', 'always', '-c', line, '/dev/null'], {
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', TERM: 'xterm', ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  let answered = 0
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (shown += chunk))
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new Error('This test needs the command script of util-linux on the PATH.', { cause })),
    )
    child.once('close', (code) => resolve(code))
  })
  return {
    screen: () => shown,
    exited,
    async answer(question, typed) {
      const isShown = waitUntil(() => shown.includes(question, answered), {
        what: `"${question}" on the screen`,
      })
      const gone = exited.then((code) => {
        throw new Error(`The command ended with ${code} before it showed "${question}":\n${shown}`)
      })
      await Promise.race([isShown, gone])
      answered = shown.length
      child.stdin.write(typed)
    },
  }
}
