/** The page of settings is written by hand; what it says is compared with what the schema does. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ConfigFault,
  configNames,
  parseHatcheryConfig,
  parseWholeConfig,
  secretNames,
} from '../../src/platform/config.ts'
import type { Environment } from '../../src/platform/config.ts'

const page = await readFile(join(import.meta.dirname, '../../../docs/reference/configuration.md'), 'utf8')
const bytes = Buffer.alloc(32).toString('base64')

/** The required settings and nothing else. */
const least: Environment = {
  NATS_URL: 'nats://127.0.0.1:4222',
  MASTER_KEY: `mk1:${bytes}`,
  DATABASE_URL: 'postgres://127.0.0.1/concord',
  WORKER_DATABASE_URL: 'postgres://127.0.0.1/concord',
  KEY_PEPPER: bytes,
}

interface Row {
  readonly name: string
  readonly cells: readonly string[]
}

const rows: readonly Row[] = page.split('\n').flatMap((line) => {
  const [, name] = /^\| `([A-Z][A-Z_]+)` \|/.exec(line) ?? []
  return name ? [{ name, cells: line.split('|').map((cell) => cell.trim()) }] : []
})

function settingsWith(environment: Environment): Readonly<Record<string, unknown>> {
  return {
    ...parseWholeConfig({ ...least, ...environment }),
    ...parseHatcheryConfig({ ...least, ...environment }),
  }
}

/** Undefined when it is taken. */
function faultWith(name: string, value: number): string | undefined {
  try {
    settingsWith({ [name]: String(value) })
    return undefined
  } catch (error) {
    if (error instanceof ConfigFault) return error.message
    throw error
  }
}

describe('the page of settings', () => {
  it('has a row for every setting, and for no other', () => {
    const named = rows.map(({ name }) => name)
    expect(named.toSorted()).toEqual([...configNames, 'DATABASE_OWNER_URL', 'BACKUP_DATABASE_URL'].toSorted())
  })

  it('marks as secret exactly what may be given as a file', () => {
    const marked = rows.filter(({ cells }) => cells.some((cell) => /\bSecret$/.test(cell)))
    expect(marked.map(({ name }) => name).toSorted()).toEqual(secretNames.toSorted())
  })

  const defaults = settingsWith({})
  const withDefault = rows.flatMap(({ name, cells }) => {
    const [, said] =
      cells
        .map((cell) => /^`([^`]+)`(?: \([^)]*\))?$/.exec(cell))
        .find((found, column) => found && column > 2) ?? []
    return said !== undefined && defaults[name] !== undefined && !(name in least)
      ? [[name, said] as const]
      : []
  })
  it.each(withDefault)('says the default of %s: %s', (name, said) => {
    expect(String(defaults[name])).toBe(said)
  })
  it('says the default of every setting that has one', () => {
    const having = configNames.filter((name) => defaults[name] !== undefined && !(name in least))
    expect(withDefault.map(([name]) => name).toSorted()).toEqual(having.toSorted())
  })

  const withBounds = rows.flatMap(({ name, cells }) => {
    const [, low, high] = cells.map((cell) => /^(\d+) to (\d+)\b/.exec(cell)).find(Boolean) ?? []
    return low && high ? [[name, Number(low), Number(high)] as const] : []
  })
  it.each(withBounds)('says the bounds of %s: %d to %d', (name, low, high) => {
    const inside = name.startsWith('HATCHERY_') ? [] : [low, high]
    for (const value of inside) expect(faultWith(name, value)).toBeUndefined()
    for (const value of [low - 1, high + 1]) expect(faultWith(name, value)).toContain(name)
  })
})
