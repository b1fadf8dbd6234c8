/** What the terminal in front of us can show. */
import { styleText } from 'node:util'

const USUAL_WIDTH = 80

/** For sentences, which need an end of the line. */
export function pageWidth(): number {
  return process.stdout.columns ?? USUAL_WIDTH
}

/** For tables, which are cut only where nobody could see the rest. */
export function tableWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined
}

/** On a terminal, unless NO_COLOR says otherwise. */
export function showsColour(): boolean {
  return styleText('bold', 'x') !== 'x'
}

export function printLines(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
