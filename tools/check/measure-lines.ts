// Tells the lines of a file apart: code, comment, blank. A line with both code and a comment is code.

import type { SourceFile } from './source-files.ts'

export interface LineCount {
  all: number
  code: number
  comment: number
}

export function countLines(file: SourceFile): LineCount {
  const lines = file.text.replace(/\n$/, '').split('\n')
  const bare = withoutComments(file).split('\n')
  const count = { all: file.text === '' ? 0 : lines.length, code: 0, comment: 0 }
  for (const [index, line] of lines.entries()) {
    if ((bare[index] ?? '').trim() !== '') count.code += 1
    else if (line.trim() !== '') count.comment += 1
  }
  return count
}

/** How often the type checker was told to look away, by the word used. */
export function suppressions(file: SourceFile, word: 'ignore' | 'expect-error' | 'nocheck'): number {
  return file.comments.filter((comment) => comment.value.trimStart().startsWith(`@ts-${word}`)).length
}

// Comments become blanks and keep their line breaks, so that line numbers stay true.
function withoutComments(file: SourceFile): string {
  let text = ''
  let at = 0
  for (const comment of file.comments) {
    text += file.text.slice(at, comment.start)
    text += file.text.slice(comment.start, comment.end).replace(/[^\n]/g, ' ')
    at = comment.end
  }
  return text + file.text.slice(at)
}
