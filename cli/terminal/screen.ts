/** The abilities of the terminal in front of us. */
import { once } from 'node:events'
import { styleText } from 'node:util'

const USUAL_WIDTH = 80
/** Two sides and what stands between them need this much. */
const MIN_WIDTH = 40

/** For sentences, which need an end of the line. A terminal that does not know its width says 0. */
export function pageWidth(): number {
  return Math.max(process.stdout.columns || USUAL_WIDTH, MIN_WIDTH)
}

/** For tables, which are cut only where nobody could see the rest. */
export function tableWidth(): number | undefined {
  return process.stdout.isTTY ? pageWidth() : undefined
}

/** On a terminal, unless NO_COLOR says otherwise. */
export function showsColour(): boolean {
  return styleText('bold', 'x') !== 'x'
}

/** Waits until what reads the output has room for more. */
export async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

export function printLines(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
