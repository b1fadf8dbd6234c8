/** Changes the line of SQL that a marker ends, in a migration or in a statement of several lines within TypeScript. */
import type { SourceChange } from './changes.ts'

/** `at` is the offset of the marker; the marker stays, so the line may be marked for several mutations. */
export function changeMarkedLine(text: string, at: number, change: SourceChange): string {
  const start = text.lastIndexOf('\n', at) + 1
  return `${text.slice(0, start)}${changeLine(text.slice(start, at).trimEnd(), change)} ${text.slice(at)}`
}

function changeLine(line: string, change: SourceChange): string {
  switch (change.kind) {
    case 'drop':
      return ''
    case 'insert':
      return change.side === 'after' ? `${line} ${change.code}` : `${change.code} ${line}`
    case 'rewrite':
      if (change.part === 'all') return change.to(line)
      throw new Error(`a line of SQL has no ${change.part}`)
  }
}
