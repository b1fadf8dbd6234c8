/** What a proof prints: figures beside their bounds. A figure that misses its bound makes the proof fail. */

export interface Figures {
  /** Must not exceed the bound. */
  atMost(name: string, measured: number, bound: number, unit?: string): void
  /** Must reach the bound. */
  atLeast(name: string, measured: number, bound: number, unit?: string): void
  /** Must be the bound. */
  exactly(name: string, measured: number, bound: number, unit?: string): void
  /** There must be none of these; the first few are printed below the figure. `count` is theirs in another unit. */
  none(name: string, findings: readonly string[], count?: number): void
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
  const record = (
    name: string,
    measured: number,
    sign: string,
    bound: number,
    unit: string,
    good: boolean,
  ) => {
    print(`${name}: ${tidy(measured)}${unit} (${sign} ${tidy(bound)}${unit})${good ? '' : '  MISSED'}`)
    if (good) return
    missed.push(name)
    broken ||= sign === '='
  }
  return {
    atMost: (name, measured, bound, unit = '') =>
      record(name, measured, '<=', bound, unit, measured <= bound),
    atLeast: (name, measured, bound, unit = '') =>
      record(name, measured, '>=', bound, unit, measured >= bound),
    exactly: (name, measured, bound, unit = '') =>
      record(name, measured, '=', bound, unit, measured === bound),
    none(name, findings, count = findings.length) {
      record(name, count, '=', 0, '', count === 0)
      for (const finding of findings.slice(0, LISTED)) print(`  ${finding}`)
      if (findings.length > LISTED) print(`  and ${findings.length - LISTED} more`)
    },
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
