/** The figures of a proof beside their bounds. A figure that misses its bound makes the proof fail. */

export interface Figures {
  /** Must not exceed the bound. A list is measured by its length, and its first items are printed where it misses. */
  atMost(name: string, measured: number | readonly string[], bound: number, unit?: string): void
  /** Must reach the bound. */
  atLeast(name: string, measured: number, bound: number, unit?: string): void
  /** Must be the bound. */
  exactly(name: string, measured: number, bound: number, unit?: string): void
  /** There must be none of these; the first few are printed below the figure. `count` is theirs in another unit. */
  none(name: string, found: readonly string[], count?: number): void
  /** Worth knowing, bound to nothing. */
  note(name: string, measured: number | string, unit?: string): void
  readonly missed: readonly string[]
  /** One of those missed had to be exact. The others measure pace or reach, which a busy machine can spoil. */
  readonly broken: boolean
}

const LISTED = 10

export function createFigures(print: (line: string) => void): Figures {
  const missed: string[] = []
  let broken = false
  const check =
    (sign: string, isGood: (measured: number, bound: number) => boolean) =>
    (name: string, measured: number, bound: number, unit = '', found: readonly string[] = []) => {
      const good = isGood(measured, bound)
      print(`${name}: ${tidy(measured)}${unit} (${sign} ${tidy(bound)}${unit})${good ? '' : '  MISSED'}`)
      if (good) return
      missed.push(name)
      broken ||= sign === '='
      for (const each of found.slice(0, LISTED)) print(`  ${each}`)
      if (found.length > LISTED) print(`  and ${found.length - LISTED} more`)
    }
  const atMost = check('<=', (measured, bound) => measured <= bound)
  const exactly = check('=', (measured, bound) => measured === bound)
  return {
    atMost: (name, measured, bound, unit) =>
      typeof measured === 'number'
        ? atMost(name, measured, bound, unit)
        : atMost(name, measured.length, bound, unit, measured),
    atLeast: check('>=', (measured, bound) => measured >= bound),
    exactly,
    none: (name, found, count = found.length) => exactly(name, count, 0, '', found),
    note: (name, measured, unit = '') =>
      print(`${name}: ${typeof measured === 'number' ? tidy(measured) : measured}${unit}`),
    missed,
    get broken() {
      return broken
    },
  }
}

function tidy(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4)
}
