/** JSON schemas of answers, in the form that endpoints accept as strict: every property required, no further ones. */
type Schema = Readonly<Record<string, unknown>>

export const text: Schema = { type: 'string' }
export const textOrNull: Schema = { type: ['string', 'null'] }
export const share: Schema = { type: 'number' }

export function oneOf(words: readonly string[]): Schema {
  return { type: 'string', enum: words }
}

export function record(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties }
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items }
}
