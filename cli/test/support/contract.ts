/** Whether something has the shape that the contract says, by its OpenAPI document. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const path = join(import.meta.dirname, '..', '..', '..', 'contract', 'openapi.json')
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(JSON.parse(readFileSync(path, 'utf8')), 'contract')

/** The fault; nothing where it is right. */
export function faultsOf(schema: string, value: unknown): unknown[] {
  const validate = ajv.compile({ $ref: `contract#/components/schemas/${schema}` })
  return validate(value) ? [] : [...(validate.errors ?? [])]
}
