/**
 * Formats numbers as a spreadsheet shows them: dates, percentages, currencies. For a more complex format the plain
 * number is kept.
 */

export interface NumberFormat {
  readonly kind: 'number' | 'percent' | 'date' | 'time'
  /** A currency sign, or empty. */
  readonly prefix: string
  /** The digits after the decimal point; null for all digits. */
  readonly digits: number | null
}

export const PLAIN_NUMBER: NumberFormat = { kind: 'number', prefix: '', digits: null }
const DATE: NumberFormat = { ...PLAIN_NUMBER, kind: 'date' }
const TIME: NumberFormat = { ...PLAIN_NUMBER, kind: 'time' }

/** The built-in formats, by number. */
const BUILT_IN: ReadonlyMap<number, NumberFormat> = new Map([
  [2, { ...PLAIN_NUMBER, digits: 2 }],
  [4, { ...PLAIN_NUMBER, digits: 2 }],
  [9, { ...PLAIN_NUMBER, kind: 'percent', digits: 0 }],
  [10, { ...PLAIN_NUMBER, kind: 'percent', digits: 2 }],
  ...[14, 15, 16, 17, 22].map((id) => [id, DATE] as const),
  ...[18, 19, 20, 21, 45, 46, 47].map((id) => [id, TIME] as const),
])

export function numberFormatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return BUILT_IN.get(id) ?? PLAIN_NUMBER
  const [positive = ''] = code.split(';')
  const bare = positive.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '')
  if (bare.includes('%')) return { ...PLAIN_NUMBER, kind: 'percent', digits: digitsOf(bare) }
  if (/[yd]/i.test(bare)) return DATE
  if (/[hs]/i.test(bare)) return TIME
  if (/m/i.test(bare)) return DATE
  return { kind: 'number', prefix: /[$€£¥]/.exec(positive)?.[0] ?? '', digits: digitsOf(bare) }
}

function digitsOf(bare: string): number | null {
  if (!/[0#?]/.test(bare)) return null
  return (/\.([0#?]+)/.exec(bare)?.[1] ?? '').length
}

const MS_A_DAY = 86_400_000
/** Day 0 of the calendar, which has a 29 February 1900 in spreadsheets. */
const DAY_ZERO = Date.UTC(1899, 11, 30)
const DAY_ZERO_1904 = Date.UTC(1904, 0, 1)
/** 31 December 9999. */
const LAST_DAY = 2_958_465

export function formatNumber(value: number, format: NumberFormat, isFrom1904: boolean): string {
  switch (format.kind) {
    case 'percent':
      return `${plainNumber(value * 100, format.digits)}%`
    case 'date':
      return value >= 0 && value <= LAST_DAY ? formatDate(value, isFrom1904) : plainNumber(value, null)
    case 'time':
      return formatTime(value)
    case 'number':
      return `${format.prefix}${plainNumber(value, format.digits)}`
  }
}

/** Rounds to 15 digits like spreadsheets, which hides binary fractions. */
function plainNumber(value: number, digits: number | null): string {
  const shown = Number(value.toPrecision(15))
  if (digits === null || Math.abs(shown) >= 1e15) return String(shown)
  return shown.toFixed(Math.min(digits, 10))
}

function formatDate(value: number, isFrom1904: boolean): string {
  const zero = isFrom1904 ? DAY_ZERO_1904 : DAY_ZERO
  const iso = new Date(zero + Math.round(value * MS_A_DAY)).toISOString()
  return value % 1 === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}

function formatTime(value: number): string {
  const minutes = Math.round(value * 24 * 60)
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`
}
