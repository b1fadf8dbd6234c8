/**
 * Values one step away from a valid one. Some of them are still valid (the bound itself, an optional property left
 * out): whether one is broken is decided by a validator, not here.
 */
import type { Resolve, Schema } from '../../harness/openapi/schema.ts'
import { typesOf } from '../../harness/openapi/schema.ts'

export interface NearMiss {
  /** The change of the valid value. */
  readonly step: string
  readonly value: unknown
}

const OTHER_TYPES: readonly unknown[] = [null, true, 0, 1.5, '', 'x', [], {}, [null], { value: 1 }]

export function nearMisses(schema: Schema, value: unknown, resolve: Resolve): NearMiss[] {
  const own = resolve(schema)
  const here = OTHER_TYPES.map((other) => ({ step: `becomes ${JSON.stringify(other)}`, value: other }))
  if (typeof value === 'string') return [...here, ...textMisses(own, value)]
  if (typeof value === 'number') return [...here, ...numberMisses(own, value)]
  if (Array.isArray(value)) return [...here, ...arrayMisses(own, value, resolve)]
  if (typeof value === 'object' && value !== null) return [...here, ...objectMisses(own, value, resolve)]
  return here
}

/** Also used for parameters, which are text on the wire whatever their type. */
export function textMisses(schema: Schema, value: string): NearMiss[] {
  const { minLength, maxLength, pattern } = schema
  const filler = pattern === undefined ? '😀' : 'a'
  const misses = [
    ...(minLength ? [{ step: 'one character too short', value: resize(value, minLength - 1, filler) }] : []),
    ...(maxLength ? [{ step: 'one character too long', value: resize(value, maxLength + 1, filler) }] : []),
    ...(maxLength ? [{ step: 'exactly as long as allowed', value: resize(value, maxLength, filler) }] : []),
  ]
  return [
    ...misses,
    ...spellings(value),
    ...(schema.enum ? [{ step: 'not in the list', value: `${value}x` }] : []),
  ]
}

/** The kinds of slip that a pattern is there for; an end-of-line character is the one that `$` forgives in some languages. */
function spellings(value: string): NearMiss[] {
  // By character: half of one would be another kind of fault.
  const characters = Array.from(value)
  const middle = Math.floor(characters.length / 2)
  const before = characters.slice(0, middle).join('')
  const behind = characters.slice(middle).join('')
  return [
    { step: 'in capitals', value: value.toUpperCase() },
    { step: 'with a space before it', value: ` ${value}` },
    { step: 'with a line end behind it', value: `${value}\n` },
    { step: 'with a hyphen before it', value: `-${value}` },
    { step: 'with a slash in it', value: `${before}/${behind}` },
    { step: 'with a full-width letter in it', value: `${before}ａ${behind}` },
    { step: 'with a character less', value: characters.slice(0, -1).join('') },
  ]
}

function numberMisses({ minimum, maximum }: Schema, value: number): NearMiss[] {
  return [
    ...(minimum === undefined ? [] : [miss('one below the least', minimum - 1), miss('the least', minimum)]),
    ...(maximum === undefined ? [] : [miss('one above the most', maximum + 1), miss('the most', maximum)]),
    miss('with a fraction', value + 0.5),
    miss('as text', String(value)),
    miss('negative zero', -0),
    miss('beyond exact integers', 2 ** 60),
  ]
}

function arrayMisses(
  { items = {}, minItems, maxItems }: Schema,
  value: readonly unknown[],
  resolve: Resolve,
): NearMiss[] {
  const first = value[0]
  // By the smallest: a hundred of the largest would only be too many bytes.
  const smallest = value.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0]
  const fill = (length: number) => Array.from({ length }, () => smallest)
  return [
    ...(minItems ? [miss('one item too few', fill(minItems - 1))] : []),
    ...(maxItems && first !== undefined ? [miss('one item too many', fill(maxItems + 1))] : []),
    ...(first === undefined
      ? []
      : nearMisses(items, first, resolve).map((each) => ({
          ...each,
          value: [each.value, ...value.slice(1)],
        }))),
  ]
}

function objectMisses(schema: Schema, value: object, resolve: Resolve): NearMiss[] {
  const properties = Object.entries(value as Readonly<Record<string, unknown>>)
  const without = properties.map(([name]) => ({
    step: `without ${name}`,
    value: Object.fromEntries(properties.filter(([other]) => other !== name)),
  }))
  const within = properties.flatMap(([name, each]) =>
    nearMisses(schema.properties?.[name] ?? {}, each, resolve).map((inner) => ({
      step: `${name} ${inner.step}`,
      value: { ...value, [name]: inner.value },
    })),
  )
  return [...without, ...within, ...extras(value, Object.keys(schema.properties ?? {}))]
}

/** Adds fields that a caller might hope to set although it is not its own to set, and slips in the names of what is. */
function extras(value: object, names: readonly string[]): NearMiss[] {
  const hoped = ['extra', 'tenant_id', 'epoch', 'status', 'toString', '']
  const slips = names.flatMap((name) => [name.toUpperCase(), `${name} `, name.replaceAll('_', '')])
  return [...hoped, ...slips]
    .filter((name) => !names.includes(name))
    .map((name) => miss(`with ${JSON.stringify(name)} added`, { ...value, [name]: 'x' }))
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length
}

function resize(value: string, length: number, filler: string): string {
  const characters = Array.from(value).slice(0, length)
  return characters.join('') + (characters.at(-1) ?? filler).repeat(length - characters.length)
}

function miss(step: string, value: unknown): NearMiss {
  return { step, value }
}

/** Texts for a parameter that should be a whole number. */
export function digitMisses({ minimum = 0, maximum = 0 }: Schema): NearMiss[] {
  const texts = [minimum - 1, minimum, maximum, maximum + 1].map(String)
  const slips = [
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '-0',
    '01',
    '1.0',
    '1e1',
    '0x1',
    '１',
    'ten',
    'null',
    'NaN',
    '9'.repeat(30),
  ]
  return [...texts, ...slips].map((text) => miss(`is ${JSON.stringify(text)}`, text))
}

export function isWhole(schema: Schema): boolean {
  return typesOf(schema).includes('integer')
}
