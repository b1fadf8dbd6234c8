/** The inventory is true: every operation that is served has its spec, and every spec has its operation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { exchange } from '../http/exchange.ts'
import { aliases, beyondOperations, inventory } from '../inventory.ts'
import { theTarget } from '../target.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

const specs = import.meta.dirname
const entries = Object.entries(inventory).flatMap(([operation, files]) =>
  files.map((file) => [operation, file] as const),
)
let named: readonly string[]
let served: readonly string[]

beforeAll(async () => {
  const { text } = await exchange(theTarget().urls[0] ?? '', {
    method: 'GET',
    path: '/openapi.json',
    headers: {},
  })
  const { paths } = JSON.parse(text) as Document
  named = Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => each.operationId))
  served = [...new Set(named.map((name) => aliases[name] ?? name))]
})

describe('inventory', () => {
  it('has every operation that is served', () => {
    const missing = served.filter((operation) => (inventory[operation] ?? []).length === 0)
    console.log(
      `operations covered: ${served.length - missing.length} of ${served.length} (missing ${missing.length})`,
    )
    expect(served.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })

  it('has no operation and no alias that is not served', () => {
    expect(Object.keys(inventory).filter((operation) => !served.includes(operation))).toEqual([])
    expect(Object.keys(aliases).filter((alias) => !named.includes(alias))).toEqual([])
  })

  it.each(entries)('finds %s in %s', (operation, file) => {
    expect(existsSync(join(specs, file))).toBe(true)
    // Called there, not only spoken of.
    expect(readFileSync(join(specs, file), 'utf8')).toContain(`createSubject('${operation}'`)
  })

  it('knows every spec file', () => {
    const known = [...entries.map(([, file]) => file), ...Object.keys(beyondOperations)]
    const present = readdirSync(specs, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.spec.ts'),
    )
    expect(present.toSorted()).toEqual([...new Set(known)].toSorted())
  })
})
