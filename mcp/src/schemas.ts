/** Schemas of tools as JSON Schema. */
import { fromJsonSchema } from '@modelcontextprotocol/server'
import type { JsonSchemaType, StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The descriptions of the contract without its names, so that no schema is moved into `$defs`. */
class Unnamed extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType): z.core.GlobalMeta | undefined {
    const { id: _, wire: _wire, ...described } = z.globalRegistry.get(schema) ?? {}
    return described
  }
}

/** Many clients read only `properties` at the root and follow no `$ref`, so every parameter is described in its place. */
export function inputSchema(schema: z.ZodObject): StandardSchemaWithJSON {
  const describe = () => ({ ...z.toJSONSchema(schema, { io: 'input', metadata: new Unnamed() }) })
  const { '~standard': standard } = schema
  return { '~standard': { ...standard, jsonSchema: { input: describe, output: describe } } }
}

/**
 * The answer may have more fields than this program knows: a service that is newer adds some, and its answers are good all
 * the same. So what the contract closes is open here.
 */
export function outputSchema(schema: z.ZodType): StandardSchemaWithJSON {
  const described = z.toJSONSchema(schema, {
    io: 'output',
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties
      delete jsonSchema['examples']
    },
  })
  // Two libraries describe the same standard by types that differ in corners nobody uses here.
  const plain: JsonSchemaType = JSON.parse(JSON.stringify(described))
  return fromJsonSchema(plain)
}
