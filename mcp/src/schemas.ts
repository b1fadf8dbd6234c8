/** Schemas of tools as JSON Schema. */
import { fromJsonSchema } from '@modelcontextprotocol/server'
import type { JsonSchemaType, StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'

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
