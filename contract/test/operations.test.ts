/** The rules for every operation, whatever it does. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  allOperations,
  eventKinds,
  operations,
  problems,
  problemsOf,
  scopeEventKinds,
  servedOperations,
  terminalDocumentStatuses,
} from '../src/index.ts'
import { servedEventKinds, servedKernelEventKinds } from '../src/events.ts'

const tierPrefix = {
  open: /^\/(?!api|admin|internals)/,
  public: /^\/api\//,
  admin: /^\/admin\//,
  internals: /^\/internals\//,
}

test('each operation is found under its own name', () => {
  expect(Object.entries(operations).filter(([key, { name }]) => key !== name)).toEqual([])
})

test('no two operations answer to the same method and path, aliases included', () => {
  const routes = allOperations.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases.map((alias) => alias.path)].map((each) => `${method} ${each}`),
  )
  expect(new Set(routes).size).toBe(routes.length)
})

test('the served operations are those marked so, all of them', () => {
  expect(servedOperations.every((each) => each.served)).toBe(true)
  expect(servedOperations.length).toBe(allOperations.filter((each) => each.served).length)
})

describe.each(allOperations)('$name', (operation) => {
  test('lies below the prefix of its tier, aliases included', () => {
    const paths = [operation.path, ...(operation.aliases ?? []).map((alias) => alias.path)]
    for (const path of paths) expect(path).toMatch(tierPrefix[operation.tier])
  })

  test('has a schema for each parameter in its path, and for no other', () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const { params } = operation
    const described = params instanceof z.ZodObject ? Object.keys(params.shape) : []
    expect(described).toEqual(inPath)
  })

  test('refuses parameters and query fields that it does not know', () => {
    for (const schema of [operation.params, operation.query]) {
      const issues = schema?.safeParse({ unheard: 'of' }).error?.issues.map((issue) => issue.code)
      expect(issues ?? ['unrecognized_keys']).toContain('unrecognized_keys')
    }
  })

  test('says what it does in a summary without a period and a description with one', () => {
    expect(operation.summary).toMatch(/^[A-Z][^.]*$/)
    expect(operation.description).toMatch(/[.]$/)
  })

  test('names each problem once, and none that its tier has anyway', () => {
    const own = operation.problems
    expect(new Set(own).size).toBe(own.length)
    const shared = problemsOf({ ...operation, problems: [] })
    expect(own.filter((code) => shared.includes(code))).toEqual([])
  })

  test('answers with what it made an address where it made something', () => {
    const makes = Object.keys(operation.answers).some((status) => status === '201' || status === '202')
    expect(operation.answerHeaders?.['Location'] !== undefined).toBe(makes)
  })

  test('reads a body only with a method that carries one', () => {
    const bodyless = operation.method === 'GET' || operation.method === 'DELETE'
    expect(operation.body === undefined || !bodyless).toBe(true)
  })

  test('names its kinds of event exactly when it is a stream', () => {
    expect((operation.events ?? []).length > 0).toBe(operation.answers[200] === 'event-stream')
  })
})

describe('the problems of an operation', () => {
  test('an open route never asks for a credential', () => {
    const statuses = problemsOf(operations.getLiveness).map((code) => problems[code].status)
    expect(statuses).not.toContain(401)
    expect(statuses).not.toContain(403)
  })

  test('a route without a key of its tier at all says so on admin and internals, never on /api', () => {
    const tiers = allOperations
      .filter((each) => problemsOf(each).includes('no_root_key'))
      .map((each) => each.tier)
    expect(new Set(tiers)).toEqual(new Set(['admin', 'internals']))
  })

  test('stand in the order of the table, each once', () => {
    const codes = problemsOf(operations.ingestDocument)
    expect(codes).toEqual(Object.keys(problems).filter((code) => codes.some((each) => each === code)))
  })
})

test('the streams carry what something tells already, and nothing that is only designed', () => {
  expect(operations.streamScopeEvents.events).toEqual(servedEventKinds)
  expect(operations.streamKernelEvents.events).toEqual(servedKernelEventKinds)
  expect(servedEventKinds.filter((kind) => !scopeEventKinds.includes(kind))).toEqual([])
  expect(eventKinds.length).toBe(scopeEventKinds.length + 6)
})

test('five statuses of a document are terminal', () => {
  expect(terminalDocumentStatuses).toEqual(['processed', 'held', 'failed', 'superseded', 'removed'])
})
