/** JSON Schema in, the text of a TypeScript type out. What it does not know it refuses: a wrong type is worse than none. */

export interface WrittenSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly WrittenSchema[]
  readonly oneOf?: readonly WrittenSchema[]
  readonly allOf?: readonly WrittenSchema[]
  readonly properties?: Readonly<Record<string, WrittenSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | WrittenSchema
  readonly propertyNames?: WrittenSchema
  readonly items?: WrittenSchema
  readonly prefixItems?: readonly WrittenSchema[]
  readonly description?: string
  readonly default?: unknown
}

const components = '#/components/schemas/'

/** `document.queued` is a kind of event as well as the name of its schema. */
export function typeName(schemaName: string): string {
  if (!schemaName.includes('.')) return schemaName
  const words = schemaName.split(/[._]/).map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Event`
}

export function typeText(schema: WrittenSchema, indent = ''): string {
  if (schema.$ref !== undefined) return typeName(referredName(schema.$ref))
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map((each) => typeText(each, indent)))
  if (schema.allOf) return schema.allOf.map((each) => typeText(each, indent)).join(' & ')
  if (Array.isArray(schema.type))
    return union(schema.type.map((type: string) => plainType({ ...schema, type }, indent)))
  return plainType(schema, indent)
}

export function referredName(reference: string): string {
  if (!reference.startsWith(components)) throw new Error(`${reference} does not lead to a schema.`)
  return reference.slice(components.length)
}

function plainType(schema: WrittenSchema, indent: string): string {
  switch (schema.type) {
    case undefined:
      return 'unknown'
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string'
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return arrayType(schema, indent)
    case 'object':
      return objectType(schema, indent)
    default:
      throw new Error(`There is no TypeScript for ${JSON.stringify(schema)} yet; teach it to typeText.`)
  }
}

function arrayType({ items, prefixItems }: WrittenSchema, indent: string): string {
  if (prefixItems) return `readonly [${prefixItems.map((each) => typeText(each, indent)).join(', ')}]`
  return `readonly (${typeText(items ?? {}, indent)})[]`.replace(/\(([\w"]+)\)/, '$1')
}

function objectType(schema: WrittenSchema, indent: string): string {
  const { properties, additionalProperties, propertyNames } = schema
  if (!properties || Object.keys(properties).length === 0)
    return recordType(additionalProperties, propertyNames, indent)
  const inner = `${indent}  `
  const open = typeof additionalProperties === 'object' || additionalProperties === true
  return [
    '{',
    ...propertyLines(schema, inner),
    ...(open ? [`${inner}readonly [name: string]: unknown`] : []),
    `${indent}}`,
  ].join('\n')
}

/** One line a property, with what is said of it above. */
export function propertyLines({ properties = {}, required = [] }: WrittenSchema, indent: string): string[] {
  return Object.entries(properties).flatMap(([name, each]) => [
    ...commentLines(each, indent),
    `${indent}readonly ${quoted(name)}${required.includes(name) ? '' : '?'}: ${typeText(each, indent)}`,
  ])
}

function commentLines({ description, default: preset }: WrittenSchema, indent: string): string[] {
  const words = [description, preset === undefined ? undefined : `Default: \`${JSON.stringify(preset)}\`.`]
  const text = words.filter((each) => each !== undefined).join(' ')
  return text === '' ? [] : [`${indent}/** ${text.replaceAll('*/', '*\\/')} */`]
}

function recordType(
  values: boolean | WrittenSchema | undefined,
  names: WrittenSchema | undefined,
  indent: string,
): string {
  if (values === false) return 'Readonly<Record<string, never>>'
  const value = typeof values === 'object' ? typeText(values, indent) : 'unknown'
  return names?.enum ? `Readonly<Record<${typeText(names)}, ${value}>>` : `Readonly<Record<string, ${value}>>`
}

function quoted(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}
