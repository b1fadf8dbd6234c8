/** The processes as deploy/compose.yaml starts them: their settings are parsed as they would be, their health check is run. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  configNames,
  parseConfig,
  parseHatcheryConfig,
  parseKernelConfig,
  parseOwnerUrl,
  secretNames,
} from '../../src/platform/config.ts'
import type { Environment } from '../../src/platform/config.ts'

interface Service {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly depends_on: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly stop_grace_period?: string
}

const FILE = join(import.meta.dirname, '..', '..', '..', 'deploy', 'compose.yaml')
const bytes = Buffer.alloc(32, 7).toString('base64')
const given: Environment = { CONCORD_DEV_PASSWORD: 'word', MASTER_KEY: `mk1:${bytes}`, KEY_PEPPER: bytes }

/** Fills in like Compose does: `${NAME}`, `${NAME:-otherwise}`, `${NAME:?or this is said}`. */
function fillIn(text: string, variables: Environment): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, sign?: string, rest = '') => {
    const value = variables[name]
    if (value) return value
    if (sign === '-') return rest
    throw new Error(`${name}: ${sign === '?' ? rest : 'not set'}`)
  })
}

const tree = parse(await readFile(FILE, 'utf8'), { merge: true }) as object

/** Variables are filled in where text stands, after the file has been read: what is empty stays text. */
function read(variables: Environment): Readonly<Record<string, Service>> {
  const filled = JSON.parse(JSON.stringify(tree), (_, value: unknown) =>
    typeof value === 'string' ? fillIn(value, variables) : value,
  ) as { readonly services: Readonly<Record<string, Service>> }
  return filled.services
}
const services = read(given)

const parsers: Readonly<Record<string, (environment: Environment) => unknown>> = {
  api: parseConfig,
  dispatcher: parseKernelConfig,
  hatchery: parseHatcheryConfig,
  migrate: parseOwnerUrl,
}

describe('deploy/compose.yaml', () => {
  it('runs migrate, api, dispatcher and hatchery, each by its command', () => {
    const commands = Object.entries(services).map(([name, { command }]) => [name, command])
    expect(Object.fromEntries(commands)).toEqual(
      Object.fromEntries(Object.keys(parsers).map((name) => [name, [name]])),
    )
  })

  it.each(Object.entries(services))(
    'gives %s no rights, and a root that it cannot write to',
    (_, service) => {
      expect(service).toMatchObject({
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        init: true,
      })
    },
  )

  it.each(Object.entries(services))('gives %s a configuration that it takes', (name, { environment }) => {
    expect(() => parsers[name]?.(environment)).not.toThrow()
    const known = new Set<string>([...configNames, ...secretNames])
    expect(Object.keys(environment).filter((each) => !known.has(each))).toEqual([])
  })

  it.each(Object.keys(given))('has no default for %s', (name) => {
    expect(() => read({ ...given, [name]: '' })).toThrow(`${name}: set it as the comment`)
  })

  it('starts the processes when the schema is there, and gives them the time to stop that they may take', () => {
    const { DRAIN_NOTICE_SECONDS: notice, DRAIN_SECONDS: drain } = parseConfig(
      services['api']?.environment ?? {},
    )
    // The figure is that of docs/how-to/operations.md on stopping.
    for (const [name, needed] of Object.entries({ api: notice + drain + 10, dispatcher: 25, hatchery: 35 })) {
      expect(services[name]?.depends_on['migrate']?.condition).toBe('service_completed_successfully')
      expect(Number.parseInt(services[name]?.stop_grace_period ?? '', 10)).toBeGreaterThan(needed)
    }
  })

  it.each([
    [200, 0],
    [503, 1],
    [undefined, 1],
  ])('takes an API that answers %s for one with the exit code %i', async (status, code) => {
    const server = createServer(({ url }, answer) => {
      answer.writeHead(url === '/readyz' ? (status ?? 500) : 404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const close = () => new Promise((resolve) => server.close(resolve))
    if (status === undefined) await close()
    const [kind, program, ...args] = services['api']?.healthcheck?.test ?? []
    expect([kind, program]).toEqual(['CMD', 'node'])
    const there = args.map((arg) => arg.replace('127.0.0.1:8080/', `127.0.0.1:${port}/`))
    const child = execFile(process.execPath, there)
    const ended = await new Promise((resolve) => child.once('close', resolve))
    if (status !== undefined) await close()
    expect(ended).toBe(code)
  })
})
