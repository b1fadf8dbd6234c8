/** Writes the generated part of the client: its types, its table of operations and the methods with what is said of them. */
import type { OpenApi, ServedOperation } from './served.ts'
import { propertyLines, typeName, typeText } from './type-text.ts'
import type { WrittenSchema } from './type-text.ts'

const heading = '// Written by `node tools/write-client.ts` from contract/openapi.json. Do not edit.\n'

export function schemasFile({ components }: OpenApi): string {
  const types = Object.entries(components.schemas).map(([name, schema]) => {
    const comment = schema.description ? `/** ${schema.description} */\n` : ''
    const text = typeText(schema)
    return schema.type === 'object' && text.startsWith('{')
      ? `${comment}export interface ${typeName(name)} ${text}\n`
      : `${comment}export type ${typeName(name)} = ${text}\n`
  })
  const codes = components.schemas['Problem']?.properties?.['code'] ?? {}
  const problem = `/** Everything that can go wrong, as a closed list. */\nexport type ProblemCode =\n  | ${(codes.enum ?? []).map((code) => JSON.stringify(code)).join('\n  | ')}\n`
  return [heading, ...types, problem].join('\n')
}

export function tableFile(operations: readonly ServedOperation[]): string {
  const rows = operations.map((each) => {
    const row = {
      method: each.method,
      path: each.path,
      bearer: each.bearer,
      tenantKey: each.tenantKey,
      tenantId: each.tenantId,
      query: Object.keys(each.query.properties ?? {}),
      body: each.body !== undefined,
      ...(each.file && { file: true }),
      ...(each.takesIdempotencyKey && { idempotencyKey: true }),
      reads: each.reads,
      answers: each.answers,
    }
    const fields = Object.entries(row).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    return `  ${each.name}: { ${fields.join(', ')} },`
  })
  return `${heading}import type { OperationRow } from '../operation-row.ts'

/** How each operation is called. */
export const operations = {
${rows.join('\n')}
} as const satisfies Readonly<Record<string, OperationRow>>

/** The name of an operation, in the OpenAPI document and as a method of the client. */
export type OperationName = keyof typeof operations
`
}

export function methodsFile(
  { components }: OpenApi,
  operations: readonly ServedOperation[],
  examples: ReadonlyMap<string, string>,
): string {
  const inputs = operations.map((each) => `export type ${inputName(each)} = ${inputText(each)}\n`)
  const methods = operations.map(
    (each) => `${commentOf(each, examples.get(each.name))}\n  readonly ${each.name}: ${callText(each)}\n`,
  )
  // The names of the types alone: a word of a comment may be called like one.
  const used = [...inputs, ...operations.map(callText)].join('\n').replaceAll(/\/\*\*.*\*\//g, '')
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(used)
  const calls = ['Call', 'ListCall', 'StreamCall'].filter(isUsed)
  const types = Object.keys(components.schemas).map(typeName).filter(isUsed)
  return `${heading}import type { ${calls.join(', ')} } from '../calls.ts'
import type {\n  ${types.join(',\n  ')},\n} from './schemas.ts'

${inputs.join('\n')}
/** One method for each operation, by its name. */
export interface Methods {
${methods.join('\n')}}
`
}

function inputName({ name }: ServedOperation): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}Input`
}

/** Path, query and body in one record. Their names must differ, and so far they do. */
function inputText(operation: ServedOperation): string {
  const { params, query, body, file, name } = operation
  const own: WrittenSchema = {
    type: 'object',
    properties: { ...params.properties, ...query.properties },
    required: [...(params.required ?? []), ...(query.required ?? [])],
  }
  const lines = propertyLines(own, '  ')
  const parts = [
    ...(lines.length > 0 ? [`{\n${lines.join('\n')}\n}`] : []),
    ...(file ? ['{\n  /** The bytes of the file. */\n  readonly file: Uint8Array\n}'] : []),
    ...(body ? [body.required ? typeText(body.schema) : `Partial<${typeText(body.schema)}>`] : []),
  ]
  if (body?.schema.$ref === undefined && body) throw new Error(`Give the body of ${name} an id.`)
  return parts.join(' & ') || 'Readonly<Record<string, never>>'
}

function callText(operation: ServedOperation): string {
  const input = inputName(operation)
  const answer = typeText(operation.answer, '  ')
  if (operation.reads === 'events') return `StreamCall<${input}, ${answer}>`
  if (operation.item) return `ListCall<${input}, ${answer}, ${typeText(operation.item, '  ')}>`
  return `Call<${input}, ${answer}${operation.conditional ? `, ${answer} | undefined` : ''}>`
}

function commentOf(operation: ServedOperation, example: string | undefined): string {
  const { summary, description, problems, deprecated, path } = operation
  const lines = [
    `${summary}.`,
    '',
    ...wrap(description),
    ...(problems.length > 0
      ? ['', ...wrap(`Problems: ${problems.map((code) => `\`${code}\``).join(', ')}.`)]
      : []),
    ...(deprecated ? ['', `@deprecated It calls ${path}, which will go.`] : []),
    ...(example === undefined ? [] : ['', '@example', ...example.split('\n')]),
  ]
  return [
    '  /**',
    ...lines.map((line) => (line === '' ? '   *' : `   * ${line.replaceAll('*/', '*\\/')}`)),
    '   */',
  ].join('\n')
}

const WIDTH = 105

function wrap(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length + 1 > WIDTH) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
