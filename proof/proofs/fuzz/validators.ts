/** Validates values against schemas of the served document, by the place where they stand in it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Parameter, ServedDocument } from '../../harness/openapi.ts'
import type { Schema } from '../../harness/openapi/schema.ts'
import { isWhole } from './near-misses.ts'

export type Validators = ReturnType<typeof createValidators>

const DOCUMENT = 'served'

export function createValidators({ json, resolve }: ServedDocument) {
  // An OpenAPI document has words that are none of JSON Schema; only its schemas are used.
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(json as object, DOCUMENT)
  const compiled = new Map<string, ValidateFunction>()

  function validatorAt(pointer: string): ValidateFunction {
    const known = compiled.get(pointer)
    if (known) return known
    const made = ajv.compile({ $ref: `${DOCUMENT}${encodeURI(pointer)}` })
    compiled.set(pointer, made)
    return made
  }

  /** The fault of the value, or undefined. */
  function fault(pointer: string, value: unknown): string | undefined {
    const validate = validatorAt(pointer)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }

  /** An object stands in its parameter as JSON. */
  function allowsJson(pointer: string, text: string): boolean {
    try {
      return fault(pointer, JSON.parse(text)) === undefined
    } catch {
      return false
    }
  }

  return {
    fault,
    /** Whether the text on the wire is a value that the parameter allows. */
    allowsText(parameter: Parameter, text: string): boolean {
      if (resolve(parameter.schema).type === 'object') return allowsJson(parameter.pointer, text)
      const whole = isWhole(resolve(parameter.schema))
      if (whole && !/^-?(?:0|[1-9]\d*)$/.test(text)) return false
      if (takesSeveral(resolve(parameter.schema)) && fault(parameter.pointer, text.split(',')) === undefined)
        return true
      return fault(parameter.pointer, whole ? Number(text) : text) === undefined
    },
  }
}

/** Several values stand in one parameter with commas between. */
function takesSeveral({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === 'array')
}
