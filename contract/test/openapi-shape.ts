/** Describes the part of the shape of an OpenAPI document that the tests look at. */

export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PathOperation>>>>
  readonly components: ComponentsShape
}

export interface ComponentsShape {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly responses: Readonly<Record<string, Response>>
}

type Schema = Readonly<Record<string, unknown>>

interface PathOperation {
  readonly operationId: string
  readonly deprecated?: boolean
  readonly security: readonly unknown[]
  readonly parameters: readonly ParameterShape[]
  readonly requestBody?: { readonly 'x-max-bytes': number }
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>
  readonly 'x-concord-extension'?: boolean
}

export interface ParameterShape {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly schema?: Schema }>>
  readonly content?: Readonly<
    Record<string, { readonly examples?: Record<string, { readonly value: unknown }> }>
  >
  readonly 'x-problem-codes'?: readonly string[]
  readonly 'x-event-kinds'?: readonly string[]
}
