/**
 * Every operation of the served document has a method with an example, and every example runs against a real service. The
 * text of an example is in a comment or a page because tools/write-client.ts copied it there, which `npm run check` watches.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Concord } from '../src/index.ts'
import { makeWorld, useService } from './support/service.ts'
import type { World } from './support/service.ts'

interface Served {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

type Example = (concord: Concord, env: Readonly<Record<string, string>>) => Promise<void>

const folder = join(import.meta.dirname, '..', 'examples')
const files = readdirSync(folder).filter((name) => name !== 'quick-start.ts')
const modules = await Promise.all(
  files.map(async (name) => (await import(join(folder, name))) as Readonly<Record<string, Example>>),
)
const examples = new Map(modules.flatMap((each) => Object.entries(each)))

const service = useService()
const { log } = console
const called = new Set<string>()
let served: Served
let pulse: NodeJS.Timeout

beforeAll(async () => {
  Object.assign(console, { log: () => undefined })
  const { concord } = await makeWorld(service())
  served = (await concord.getOpenApi()) as unknown as Served
  // Something happens all the time, for whoever waits for news of any scope.
  pulse = setInterval(() => {
    void concord
      .ingestDocument({ scope_id: 'first-case', name: 'Nota', text: 'Lorem ipsum.' })
      .catch(() => undefined)
  }, 250)
}, 60_000)

afterAll(() => {
  Object.assign(console, { log })
  clearInterval(pulse)
})

/** Two documents that do not agree. */
async function seed({ concord }: World): Promise<void> {
  const texts = {
    'report-2025': 'Borealis Ltd had revenue of EUR 12.4m in 2025.',
    'board-memo': 'The revenue of Borealis Ltd in 2025 was EUR 11.9m.',
  }
  await Promise.all(
    Object.entries(texts).map(([document_id, text]) =>
      concord.ingestAndWait({ scope_id: 'first-case', document_id, name: document_id, text }),
    ),
  )
}

/** Notes which operation each request is. */
const noting: typeof fetch = async (input, init) => {
  const path = new URL(input instanceof Request ? input.url : input).pathname
  const method = (init?.method ?? 'GET').toLowerCase()
  for (const [template, methods] of Object.entries(served.paths)) {
    const matches = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
    const { operationId } = methods[method] ?? {}
    if (matches && operationId) called.add(operationId)
  }
  return fetch(input, init)
}

function servedNames(): string[] {
  return Object.values(served.paths)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    .toSorted()
}

describe('an example', () => {
  it.concurrent.each([...examples])('of %s runs', async (_, run) => {
    const world = await makeWorld(service(), { fetch: noting })
    await seed(world)
    const env = { CONCORD_URL: service().url, TENANT_ID: world.tenantId, TENANT_KEY: world.tenantKey }
    await expect(run(world.concord, env)).resolves.toBeUndefined()
  })
})

describe('the client', () => {
  it('has a method for every operation that is served, and no other', async () => {
    const { concord } = await makeWorld(service())
    const methods = Object.keys(concord).filter((name) => name !== 'waitFor' && name !== 'ingestAndWait')
    expect(methods.toSorted()).toEqual(servedNames())
  })

  it('has an example for every method', () => {
    expect(servedNames().filter((name) => !examples.has(name))).toEqual([])
  })

  it('has called every operation by then', () => {
    expect(servedNames().filter((name) => !called.has(name))).toEqual([])
  })

  it('has an example in the comment of every public function', () => {
    const source = join(import.meta.dirname, '..', 'src')
    const face = readFileSync(join(source, 'index.ts'), 'utf8')
    const exported = [...face.matchAll(/^export \{([^}]+)\}/gm)].flatMap(
      ([, names = '']) => names.match(/\w+/g) ?? [],
    )
    const functions = exported.filter((name) => /^[a-z]/.test(name))
    expect(functions.toSorted()).toEqual(['createClient', 'isProblem'])
    for (const name of [...functions, 'raw', 'all', 'waitFor', 'ingestAndWait'])
      expect([...examples.keys()].map((each) => each.replace(/Example$/, ''))).toContain(name)
  })
})
