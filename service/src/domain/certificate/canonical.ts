/**
 * The canonical form of a JSON value (RFC 8785), so that equal values have equal hashes: names are sorted by their UTF-16
 * units, there are no spaces, and numbers and strings are written as in ECMAScript.
 */

export type CanonicalJson =
  | null
  | boolean
  | number
  | string
  | readonly CanonicalJson[]
  | { readonly [name: string]: CanonicalJson }

export function canonicalForm(value: CanonicalJson): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError('JSON has no such number as infinity')
  if (typeof value === 'string' && !value.isWellFormed())
    throw new TypeError('half a character cannot be written in UTF-8')
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalForm).join(',')}]`
  const named = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${canonicalForm(name)}:${canonicalForm(each)}`)
  return `{${named.join(',')}}`
}

/** Unlike `Array.isArray`, it also narrows the type to readonly arrays. */
function isList(value: object): value is readonly CanonicalJson[] {
  return Array.isArray(value)
}
