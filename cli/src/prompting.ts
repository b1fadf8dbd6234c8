/** Questions to a person at the terminal. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** One conversation on one reader of the terminal: a second reader would miss what the first one has taken in already. */
export interface Prompts {
  /** Asks again while the answer is empty and there is no fallback. */
  ask(question: string, fallback?: string): Promise<string>
  /** Shows nothing of what is typed. */
  askSecret(question: string): Promise<string>
  close(): void
}

export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** Ctrl-C and Ctrl-D reject the question that is open. */
export function openPrompts(): Prompts {
  const screen = createScreen()
  const lines = createInterface({
    input: process.stdin,
    output: screen.output,
    terminal: true,
    historySize: 0,
  })
  let ending = 'The input ended'
  lines.once('SIGINT', () => {
    ending = 'Interrupted'
    lines.close()
  })
  // It keeps lines that are typed ahead.
  const typed = lines[Symbol.asyncIterator]()
  const askOnce = async (question: string): Promise<string> => {
    lines.setPrompt(`${question}: `)
    lines.prompt()
    const { value, done } = await typed.next()
    if (!done) return value.trim()
    process.stderr.write('\n')
    throw new Error(`${ending}; nothing was kept.`)
  }
  const ask = async (question: string, fallback?: string): Promise<string> => {
    const hint = fallback === undefined ? '' : ` [${fallback}]`
    const answer = (await askOnce(`${question}${hint}`)) || fallback
    return answer || ask(question)
  }
  return {
    ask,
    async askSecret(question) {
      const answer = askOnce(question)
      screen.mute()
      try {
        return await answer
      } finally {
        screen.unmute()
        process.stderr.write('\n')
      }
    },
    close: () => lines.close(),
  }
}

/** Asks a person; where nobody can be asked, it takes --yes. */
export async function requireConsent(question: string): Promise<void> {
  if (!canAsk()) throw new Error(`${question} Nobody can be asked here; give --yes to do it.`)
  const prompts = openPrompts()
  try {
    const answer = await prompts.ask(`${question} (yes or no)`, 'no')
    if (!/^y(es)?$/i.test(answer)) throw new Error('Nothing was removed.')
  } finally {
    prompts.close()
  }
}

/** Standard error, which can be made to show nothing for a while. */
function createScreen() {
  let muted = false
  const output = new Writable({
    write(chunk, _, done) {
      if (!muted) process.stderr.write(chunk)
      done()
    },
  })
  return { output, mute: () => void (muted = true), unmute: () => void (muted = false) }
}

export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
