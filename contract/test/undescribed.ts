/** Finds the properties and parameters of an OpenAPI document that have no description. */

type Json = Readonly<Record<string, unknown>>

/**
 * The paths of all properties and parameters without a description, wherever they stand in the document. A property that
 * refers to a schema by name counts as described where that schema is.
 */
export function findUndescribed(document: unknown): readonly string[] {
  return search(document, '', (reference) => resolve(document, reference))
}

type Resolve = (reference: string) => unknown

function search(value: unknown, path: string, find: Resolve): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => search(each, `${path}/${index}`, find))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const here = `${path}/${key}`
    if (isExample(key)) return []
    const own = [...undescribedProperties(key, child, here, find), ...undescribedParameters(key, child, here)]
    // The names of properties are the document's own words; only their schemas are searched.
    const isNames = key === 'properties' && isObject(child)
    return [...own, ...(isNames ? searchEach(child, here, find) : search(child, here, find))]
  })
}

function searchEach(schemas: Json, path: string, find: Resolve): readonly string[] {
  return Object.entries(schemas).flatMap(([name, schema]) => search(schema, `${path}/${name}`, find))
}

/** Examples hold values, not schemas. */
function isExample(key: string): boolean {
  return ['example', 'examples', 'const', 'enum', 'default'].includes(key)
}

function undescribedProperties(key: string, child: unknown, path: string, find: Resolve): readonly string[] {
  if (key !== 'properties' || !isObject(child)) return []
  return Object.entries(child)
    .filter(([, schema]) => !isDescribed(schema, find))
    .map(([name]) => `${path}/${name}`)
}

function undescribedParameters(key: string, child: unknown, path: string): readonly string[] {
  if (key !== 'parameters' || !Array.isArray(child)) return []
  return child.filter((each: Json) => !hasText(each)).map((each: Json) => `${path}/${String(each['name'])}`)
}

function isDescribed(schema: unknown, find: Resolve): boolean {
  if (!isObject(schema)) return false
  const reference = schema['$ref']
  return hasText(schema) || (typeof reference === 'string' && hasText(find(reference)))
}

function hasText(value: unknown): boolean {
  return isObject(value) && typeof value['description'] === 'string' && value['description'].trim() !== ''
}

function resolve(document: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), document)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
