/** Turns zod schemas into JSON Schema 2020-12, and keeps those that have a name in one place. */
import { z } from 'zod'

export type Json = Readonly<Record<string, unknown>>

/** A request is described as it is sent, an answer as it arrives: a default makes the difference. */
export type Direction = 'input' | 'output'

export class Components {
  readonly #schemas = new Map<string, Json>()
  readonly #responses = new Map<string, Json>()

  /** The schema, with a reference in place of everything that has an `id` in its meta. */
  schema(schema: z.ZodType, direction: Direction): Json {
    const {
      $schema: _,
      $defs,
      ...root
    } = z.toJSONSchema(schema, { io: direction, override: asOnTheWire(direction) })
    for (const [name, definition] of Object.entries($defs ?? {})) this.#keepSchema(name, definition)
    return pointAtComponents(root)
  }

  /** The description of the schema, or of the one that it refers to; undefined where neither has one. */
  descriptionOf({ $ref: reference, description }: Json): unknown {
    if (description !== undefined || typeof reference !== 'string') return description
    return this.#schemas.get(reference.slice(reference.lastIndexOf('/') + 1))?.['description']
  }

  /** A reference to the response of that name. */
  response(name: string, describe: () => Json): Json {
    if (!this.#responses.has(name)) this.#responses.set(name, describe())
    return { $ref: `#/components/responses/${name}` }
  }

  toJson(): Json {
    return { schemas: sorted(this.#schemas), responses: sorted(this.#responses) }
  }

  /** A name means one thing: a schema that differs between request and answer needs two of them. */
  #keepSchema(name: string, definition: unknown): void {
    const { id: _, ...schema } = pointAtComponents(definition)
    const known = this.#schemas.get(name)
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(
        `The schema ${name} is not the same in a request and in an answer; give one another id.`,
      )
    }
    this.#schemas.set(name, schema)
  }
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>

/**
 * `wire` in the meta of a schema replaces what zod would say of it. Answers lose the bounds that zod gives every
 * integer: they are those of JavaScript, not of the contract.
 */
function asOnTheWire(direction: Direction): Override {
  return ({ zodSchema, jsonSchema }) => {
    const wire = z.globalRegistry.get(zodSchema)?.['wire']
    if (wire) {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, wire)
    }
    if (direction === 'output') {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    }
  }
}

/** Zod refers to `#/$defs/Name`; the document keeps the definitions elsewhere. */
function pointAtComponents(schema: unknown): Json {
  const moved: Json = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
  return moved
}

function sorted(entries: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
