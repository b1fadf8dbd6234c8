/** The part of JSON Schema 2020-12 that the served document uses, and how to follow its references. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

/** Follows references until a schema speaks for itself. */
export type Resolve = (schema: Schema) => Schema

/** Finds the target of `#/a/b` (RFC 6901). */
export function lookUp(document: unknown, pointer: string): unknown {
  let place = document
  for (const part of pointer.replace(/^#\/?/, '').split('/').map(unescapePart)) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, part))
      throw new Error(`The served document has nothing at ${pointer}`)
    place = (place as Readonly<Record<string, unknown>>)[part]
  }
  return place
}

export function escapePart(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescapePart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

export function resolverOf(document: unknown): Resolve {
  return function resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema
    const { $ref, ...beside } = schema
    // Words beside a reference add to it (2020-12); here they are descriptions.
    return { ...resolve(lookUp(document, $ref) as Schema), ...beside }
  }
}

/** The types that a schema allows; empty when it does not say. */
export function typesOf({ type }: Schema): readonly string[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}
