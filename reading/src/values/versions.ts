/** `version 2.0`, `v1.4.2`, `Release: 7`: three places of a version as one number that orders as they do. */
import type { ValueLine, ValueReading } from './line.ts'

const words = new Set('version versions v ver release rev revision edition build'.split(' '))

export function versionAt(line: ValueLine, at: number): { reading: ValueReading; next: number } | null {
  const token = line.tokens[at]
  if (token?.type !== 'word' || !words.has(line.word(at))) return null
  let next = at + 1
  if (line.sign(next) === '.' || line.sign(next) === ':') next += 1
  // `v` alone stands between the parties of a case.
  if (line.word(at) === 'v' && !line.isGlued(next)) return null
  const parts = partsAt(line, next)
  const number = line.tokens[next]
  if (parts === null || number === undefined) return null
  const [major = 0, minor = 0, patch = 0] = parts
  const place = major * 1e6 + minor * 1e3 + patch
  const value = {
    type: 'number',
    low: place,
    high: place,
    unit: 'version',
    step: 1,
    about: false,
    bound: null,
  } as const
  return { reading: { kind: 'version', value, span: [number.start, number.end], sure: true }, next: next + 1 }
}

function partsAt(line: ValueLine, at: number): readonly number[] | null {
  const digits = line.tokens[at]?.digits
  if (digits?.form === 'dotted') return digits.parts
  if (digits?.form !== 'plain' || digits.grouped || digits.comma || digits.value > 9999) return null
  // A year is the date of an edition.
  if (digits.places === 0 && digits.value >= 1900) return null
  return line.raw(at).split('.').map(Number)
}
