/** The steps of a world: a hash of all of them, and the last few in words. */
const REMEMBERED = 20

export type SimulationTrace = ReturnType<typeof createTrace>

/** FNV-1a twice with different beginnings: enough to tell two traces apart, and cheap enough for every step. */
export function createTrace() {
  const lines: string[] = []
  let one = 0x811c9dc5
  let other = 0x01234567
  return {
    note(line: string): void {
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
