/** Every field and every parameter of the OpenAPI document says what its value means. */
import { describe, expect, test } from 'vitest'
import { allOperations, contractVersion, openApiDocument } from '../src/index.ts'
import { findUndescribed } from './undescribed.ts'

const whole: unknown = JSON.parse(
  JSON.stringify(openApiDocument(allOperations, { version: contractVersion })),
)

test('every property and every parameter has a description', () => {
  expect(findUndescribed(whole)).toEqual([])
})

describe('what has no description is found', () => {
  const bare = { type: 'object', properties: { bare: { type: 'string' } } }

  test.each([
    ['in a schema', bare],
    ['in items', { type: 'array', items: bare }],
    ['in the values of a record', { type: 'object', additionalProperties: bare }],
    ['in an event of a stream', { type: 'string', contentSchema: bare }],
    ['in one of allOf', { allOf: [bare] }],
    ['in one of anyOf', { anyOf: [{ type: 'null' }, bare] }],
    ['in one of oneOf', { oneOf: [bare, { type: 'null' }] }],
    ['in a described property', { properties: { outer: { ...bare, description: 'An object.' } } }],
  ])('%s', (_, schema) => {
    const found = findUndescribed({ components: { schemas: { Thing: schema } } })
    expect(found.map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual(['bare'])
  })

  test('in the body and the answers of an operation', () => {
    const content = { 'application/json': { schema: bare } }
    const operation = { requestBody: { content }, responses: { 200: { content } } }
    expect(findUndescribed({ paths: { '/things': { post: operation } } })).toHaveLength(2)
  })

  test('in a parameter, even where its schema has one', () => {
    const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer', description: 'Items.' } }]
    expect(findUndescribed({ paths: { '/things': { get: { parameters } } } })).toEqual([
      '/paths//things/get/parameters/limit',
    ])
  })

  test('in a reference to a schema that has none, and not in one that has', () => {
    const schemas = {
      Bare: { type: 'string' },
      Described: { type: 'string', description: 'A name.' },
      Thing: {
        properties: {
          bare: { $ref: '#/components/schemas/Bare' },
          described: { $ref: '#/components/schemas/Described' },
          own: { $ref: '#/components/schemas/Bare', description: 'Another name.' },
        },
      },
    }
    expect(findUndescribed({ components: { schemas } })).toEqual([
      '/components/schemas/Thing/properties/bare',
    ])
  })
})
