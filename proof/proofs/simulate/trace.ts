/** What happened in a world, step by step: a hash of all of it, and the last few steps in words. */

export interface Trace {
  note(line: string): void
  hash(): string
  last(): readonly string[]
}

const REMEMBERED = 20

/** FNV-1a twice with different beginnings: enough to tell two traces apart, and cheap enough for every step. */
export function createTrace(): Trace {
  const lines: string[] = []
  let one = 0x811c9dc5
  let other = 0x01234567
  return {
    note(line) {
      for (let index = 0; index < line.length; index += 1) {
        const code = line.charCodeAt(index)
        one = Math.imul(one ^ code, 0x01000193)
        other = Math.imul(other ^ code, 0x01000193)
      }
      lines.push(line)
      if (lines.length > REMEMBERED) lines.shift()
    },
    hash: () => [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(''),
    last: () => [...lines],
  }
}
