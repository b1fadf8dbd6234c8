/** The OpenAPI document: valid, complete, and saying of each value what the schemas themselves say. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allOperations,
  contractVersion,
  openApiDocument,
  operations,
  servedOperations,
} from '../src/index.ts'
import { problems, problemsOf } from '../src/index.ts'
import type { ComponentsShape, OpenapiDocument, ParameterShape } from './openapi-shape.ts'

const root = join(import.meta.dirname, '../..')
const documentOf = (rows: typeof allOperations) =>
  JSON.parse(JSON.stringify(openApiDocument(rows, { version: contractVersion }))) as OpenapiDocument
const whole = documentOf(allOperations)

function responsesOf(path: string, method: string): ComponentsShape['responses'] {
  const responses = whole.paths[path]?.[method]?.responses
  if (!responses) throw new Error(`${method} ${path} is not documented.`)
  return Object.fromEntries(
    Object.entries(responses).map(([status, each]) => [
      status,
      whole.components.responses[nameOf(each.$ref)] ?? each,
    ]),
  )
}

function idsIn({ paths }: OpenapiDocument): readonly string[] {
  return Object.values(paths)
    .flatMap((item) => Object.values(item).map((each) => each.operationId))
    .toSorted()
}

function idsOf(rows: typeof allOperations): readonly string[] {
  return rows
    .flatMap(({ name, aliases = [] }) => [name, ...aliases.map(() => `${name}Deprecated`)])
    .toSorted()
}

function nameOf(reference = ''): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

describe('the document of all operations', () => {
  test('passes the linter without an error or a warning', () => {
    expect(lintDocument(whole)).toEqual([])
  })

  test('would not pass it with a parameter left out', () => {
    const path = '/api/scopes/{scopeId}'
    const item = { get: { ...whole.paths[path]?.['get'], parameters: [] } }
    const broken = { ...whole, paths: { ...whole.paths, [path]: item } }
    expect(lintDocument(broken).join()).toContain('path-parameters-defined')
  })

  test('has one entry for each operation and each alias, and no other', () => {
    expect(idsIn(whole)).toEqual(idsOf(allOperations))
  })

  test('comes out the same whatever the order of the rows', () => {
    expect(JSON.stringify(documentOf(allOperations.toReversed()))).toBe(JSON.stringify(whole))
  })

  test('holds no trace of how it was made', () => {
    expect(JSON.stringify(whole)).not.toMatch(/\$defs|\$schema|"wire"|9007199254740991/)
  })

  test('names its routes beyond the specification', () => {
    const marked = Object.values(whole.paths).flatMap((item) =>
      Object.values(item).filter((each) => each['x-concord-extension']),
    )
    expect(marked.length).toBe(allOperations.filter((each) => each.extension).length)
  })
})

function lintDocument(document: unknown): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'concord-openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify(document))
    return lint(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The output of the linter, errors and warnings alike, by the rules of redocly.yaml. */
function lint(file: string): readonly string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', file, '--format=json'],
    {
      cwd: root,
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      encoding: 'utf8',
    },
  )
  const report = JSON.parse(stdout) as {
    readonly problems: readonly { readonly ruleId: string; readonly message: string }[]
  }
  return report.problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

test('the document of the served operations holds those alone', () => {
  expect(idsIn(documentOf(servedOperations))).toEqual(idsOf(servedOperations))
})

test('the version of the contract is that of its package', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'contract/package.json'), 'utf8')) as {
    version: string
  }
  expect(contractVersion).toBe(manifest.version)
})

describe('responses', () => {
  test.each(allOperations)('$name documents each status it can give, with the codes of each', (operation) => {
    const documented = responsesOf(operation.path, operation.method.toLowerCase())
    const codes = Object.entries(documented).flatMap(([status, each]) =>
      (each['x-problem-codes'] ?? []).map((code) => `${status} ${code}`),
    )
    const expected = problemsOf(operation).map((code) => `${problems[code].status} ${code}`)
    expect(codes.toSorted()).toEqual(expected.toSorted())
    expect(Object.keys(documented)).toEqual(expect.arrayContaining(Object.keys(operation.answers)))
  })

  test.each(allOperations)('$name promises X-Request-Id on every one', (operation) => {
    const documented = responsesOf(operation.path, operation.method.toLowerCase())
    const without = Object.entries(documented).filter(([, each]) => !each.headers?.['X-Request-Id'])
    expect(without).toEqual([])
  })

  test.each([
    ['401', 'WWW-Authenticate'],
    ['405', 'Allow'],
    ['429', 'Retry-After'],
    ['503', 'Retry-After'],
    ['202', 'Location'],
  ])('%s carries %s', (status, header) => {
    expect(responsesOf('/api/ingest', 'post')[status]?.headers).toHaveProperty([header])
  })

  test('a health route answers 503 in its own shape or with a problem', () => {
    const content = responsesOf('/api/health', 'get')['503']?.content ?? {}
    expect(Object.keys(content)).toEqual(['application/json', 'application/problem+json'])
  })

  test('a stream lists its kinds of event', () => {
    const kinds = responsesOf('/internals/events', 'get')['200']?.['x-event-kinds']
    expect(kinds).toEqual(operations.streamKernelEvents.events)
  })

  test('a conditional read can answer 304', () => {
    expect(responsesOf('/admin/scopes/{scopeId}/summary', 'get')).toHaveProperty('304')
  })

  test('an alias announces since when, until when, and what to use instead', () => {
    const headers = responsesOf('/internals/events', 'get')['200']?.headers
    const values = ['Deprecation', 'Sunset', 'Link'].map((name) => headers?.[name]?.schema?.['const'])
    expect(values).toEqual([
      '@1794700800',
      'Mon, 15 Nov 2027 00:00:00 GMT',
      '</internals/kernel/events>; rel="successor-version"',
    ])
    expect(whole.paths['/internals/events']?.['get']?.deprecated).toBe(true)
  })
})

describe('requests', () => {
  test.each([
    ['GET /livez', []],
    ['GET /api/health', []],
    ['POST /api/ingest', [{ BearerAuth: [] }, { TenantApiKey: [] }]],
    ['GET /admin/tenants', [{ BearerAuth: [] }]],
    ['GET /admin/scopes', [{ BearerAuth: [], TenantApiKey: [] }]],
    ['POST /admin/runtime/stop', [{ BearerAuth: [] }, { BearerAuth: [], TenantApiKey: [] }]],
    ['POST /internals/kernel/runtime/stop', [{ BearerAuth: [], TenantApiKey: [] }]],
    ['GET /internals/events', [{ BearerAuth: [] }]],
  ])('%s asks for its credentials', (route, security) => {
    const [method = '', path = ''] = route.split(' ')
    expect(whole.paths[path]?.[method.toLowerCase()]?.security).toEqual(security)
  })

  test.each([
    ['/api/ingest', 'post', true],
    ['/api/scopes', 'get', false],
    ['/api/health', 'get', undefined],
    ['/admin/scopes', 'get', undefined],
  ])('%s (%s) requires X-Tenant-ID: %j', (path, method, required) => {
    expect(parameter(path, method, 'X-Tenant-ID')?.required).toBe(required)
  })

  test('the page size is a number to the caller, though it travels as text', () => {
    expect(parameter('/api/scopes', 'get', 'limit')?.schema).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 100,
    })
  })

  test('the limit of a body stands in the document', () => {
    expect(whole.paths['/api/ingest']?.['post']?.requestBody?.['x-max-bytes']).toBe(1_572_864)
    expect(whole.paths['/admin/tenants']?.['post']?.requestBody?.['x-max-bytes']).toBe(16_384)
  })

  function parameter(path: string, method: string, name: string): ParameterShape | undefined {
    return whole.paths[path]?.[method]?.parameters.find((each) => each.name === name)
  }
})

describe('schemas', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true, strictRequired: false, keywords: ['components'] })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'concord', components: whole.components })
  function validatorOf(name: string) {
    const validate = ajv.getSchema(`concord#/components/schemas/${name}`)
    if (!validate) throw new Error(`${name} is no schema of the document.`)
    return validate
  }

  test.each(Object.keys(whole.components.schemas))(
    '%s is JSON Schema 2020-12, and its examples follow it',
    (name) => {
      const validate = validatorOf(name)
      const examples = whole.components.schemas[name]?.['examples'] ?? []
      for (const example of examples as unknown[]) expect(validate(example)).toBe(true)
    },
  )

  test.each(Object.entries(whole.components.responses))(
    'the examples of %s follow the schema of a problem',
    (_, each) => {
      const examples = Object.values(each.content?.['application/problem+json']?.examples ?? {})
      expect(examples.length).toBeGreaterThan(0)
      for (const { value } of examples) expect(validatorOf('Problem')(value)).toBe(true)
    },
  )

  /** Strings that come close to every bound, in code points that are one or two units long. */
  const nearBounds = fc
    .tuple(fc.constantFrom('a', '😀', 'A'), fc.constantFrom(0, 1, 50, 51, 120, 121, 200, 201, 500, 501))
    .map(([unit, length]) => unit.repeat(length))
  const anyValue = fc.oneof({ weight: 9, arbitrary: nearBounds }, fc.constantFrom(null, 1, true, [], {}))
  const optional = ['type', 'document_id', 'source', 'idempotency_key', 'more'] as const

  test('the document and the schema accept the same ingest requests', () => {
    const validate = validatorOf('IngestDocumentRequest')
    const fields = { scope_id: anyValue, name: anyValue, text: anyValue }
    const more = Object.fromEntries(optional.map((field) => [field, anyValue]))
    const requests = fc
      .tuple(fc.record(fields, { requiredKeys: [] }), fc.record(more, { requiredKeys: [] }))
      .map(([required, rest]) => ({ scope_id: 'a', name: 'n', text: 't', ...required, ...rest }))
    const seen = new Set<unknown>()
    fc.assert(
      fc.property(requests, (request) => {
        const verdict = validate(request)
        seen.add(verdict)
        expect(operations.ingestDocument.body?.safeParse(request).success).toBe(verdict)
      }),
      { numRuns: 500, examples: [[{ scope_id: 'a', name: 'n', text: 't' }]] },
    )
    expect(seen).toEqual(new Set([true, false]))
  })
})

test('every operation of the operator is marked as internal, and no other', () => {
  const marked = Object.entries(whole.paths).flatMap(([path, item]) =>
    Object.values(item).map((each) => [path.startsWith('/internals/'), 'x-internal' in each]),
  )
  expect(marked.filter(([isInternal, isMarked]) => isInternal !== isMarked)).toEqual([])
  expect(marked.filter(([isInternal]) => isInternal).length).toBeGreaterThan(10)
})
