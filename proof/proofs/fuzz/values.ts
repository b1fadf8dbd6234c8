/** From a schema to a generator of the values that it allows. */
import * as fc from 'fast-check'
import type { Resolve, Schema } from '../../harness/openapi/schema.ts'
import { typesOf } from '../../harness/openapi/schema.ts'
import { textsOf } from './texts.ts'

export function valuesOf(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const own = resolve(schema)
  if (own.const !== undefined) return fc.constant(own.const)
  if (own.enum) return fc.constantFrom(...own.enum)
  const alternatives = own.anyOf ?? own.oneOf
  if (alternatives) return fc.oneof(...alternatives.map((each) => valuesOf(each, resolve)))
  const types = typesOf(own)
  return fc.oneof(...types.map((type) => valuesOfType(type, own, resolve)))
}

function valuesOfType(type: string, schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textsOf(schema)
    case 'integer':
      return integersOf(schema)
    case 'number':
      return fc.double({ noNaN: true, ...boundsOf(schema) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return arraysOf(schema, resolve)
    case 'object':
      return objectsOf(schema, resolve)
    default:
      throw new Error(`The served document uses the type ${type}; teach ${import.meta.filename} about it`)
  }
}

/** Both bounds themselves come often: that is where an off-by-one shows. */
function integersOf(schema: Schema): fc.Arbitrary<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = boundsOf(schema)
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min, max }) },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  )
}

function boundsOf(schema: Schema): { readonly min?: number; readonly max?: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const min = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  const max = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - 1)
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

function arraysOf({ items = {}, minItems = 0, maxItems }: Schema, resolve: Resolve): fc.Arbitrary<unknown[]> {
  return fc.array(valuesOf(items, resolve), { minLength: minItems, maxLength: maxItems ?? minItems + 5 })
}

/** Every required property; of the others, any selection. Where more are allowed, none is added: their meaning is unknown. */
function objectsOf({ properties = {}, required = [] }: Schema, resolve: Resolve): fc.Arbitrary<object> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valuesOf(each, resolve)]),
  )
  return fc.record(model, { requiredKeys: [...required], noNullPrototype: true })
}
