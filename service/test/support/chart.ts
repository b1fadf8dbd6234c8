/** The chart as Helm renders it, and as its files say it should be. */
import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'

const run = promisify(execFile)

export const CHART = join(import.meta.dirname, '..', '..', '..', 'deploy', 'helm', 'concord')

export interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly secretKeyRef: { readonly name: string; readonly key: string; readonly optional?: boolean }
  }
}

export interface Container {
  readonly args: readonly string[]
  readonly image: string
  readonly env: readonly Variable[]
  readonly securityContext: object
  readonly volumeMounts: readonly object[]
  readonly resources: object
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly [probe: string]: unknown
}

export interface PodSpec {
  readonly automountServiceAccountToken: boolean
  readonly serviceAccountName: string
  readonly securityContext: object
  readonly terminationGracePeriodSeconds?: number
  readonly containers: readonly Container[]
  readonly [other: string]: unknown
}

export interface ChartManifest {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly annotations?: Readonly<Record<string, string>>
    readonly labels: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly replicas?: number
    readonly selector?: unknown
    readonly template?: { readonly metadata: ChartManifest['metadata']; readonly spec: PodSpec }
    readonly [other: string]: unknown
  }
}

/** Whether there is a Helm to render with. */
export function hasHelm(): boolean {
  try {
    execFileSync('helm', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const helm = async (...args: string[]) => run('helm', args, { maxBuffer: 10_000_000 })

const flags = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])

export async function render(values: Readonly<Record<string, string>>): Promise<ChartManifest[]> {
  const { stdout } = await helm('template', 'try', CHART, ...flags(values))
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as ChartManifest | null)
    .filter((manifest) => manifest !== null)
}

export async function readValues(): Promise<unknown> {
  return parse(await readFile(join(CHART, 'values.yaml'), 'utf8'))
}

/** The paths below `.Values` that a template uses. */
export function valuesIn(template: string): string[] {
  return [...template.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, path = '']) => path.slice(1))
}

/** Undefined where there is none; an object that may hold anything has whatever is asked for. */
export function at(tree: unknown, path: string): unknown {
  let here = tree
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined
    here = new Map<string, unknown>(Object.entries(here)).get(name)
  }
  return here
}

/** Every path to something that is not an object with names of its own. */
export function leavesOf(tree: unknown, path = ''): string[] {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return [path]
  const entries = Object.entries(tree)
  if (entries.length === 0) return [path]
  return entries.flatMap(([name, below]) => leavesOf(below, path === '' ? name : `${path}.${name}`))
}
