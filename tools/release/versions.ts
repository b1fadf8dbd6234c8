// Every place that states the version of a release. They must agree, and a new version is written into all of them.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface StatedVersion {
  readonly place: string
  readonly version: string
}

interface RootManifest {
  readonly workspaces?: readonly string[]
}

interface Place {
  readonly path: string
  /** The version is its only group. */
  readonly expression: RegExp
}

const elsewhere: readonly Place[] = [
  { path: 'contract/src/openapi.ts', expression: /contractVersion = '([^']+)'/g },
  { path: 'deploy/helm/concord/Chart.yaml', expression: /^(?:v|appV)ersion: (\S+)$/gm },
  { path: 'package-lock.json', expression: /"name": "@?concord(?:\/\w[\w-]*)?",\n\s+"version": "([^"]+)"/g },
]

/** The version of a package, and of each package of this repository that it needs. */
const inManifest = /"(?:version|@concord\/[\w-]+)": "([^"]+)"/g

export function statedVersions(root: string): StatedVersion[] {
  return places(root).flatMap(({ path, expression }) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(expression)].map(([, version = '']) => ({
      place: path,
      version,
    })),
  )
}

/** The one version that all places state. */
export function releaseVersion(root: string): string {
  const stated = statedVersions(root)
  const [first] = stated
  if (first === undefined) throw new Error('No file states a version.')
  const others = stated.filter(({ version }) => version !== first.version)
  if (others.length === 0) return first.version
  const list = others.map(({ place, version }) => `${place} states ${version}`).join(', ')
  throw new Error(
    `${first.place} states ${first.version}, but ${list}. Write one: npm run release -- --set VERSION`,
  )
}

export function setVersion(root: string, version: string): void {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    throw new Error(`${version} is no version. Use the form 1.2.3 or 1.2.3-rc.1.`)
  for (const { path, expression } of places(root)) {
    const text = readFileSync(join(root, path), 'utf8')
    const written = text.replaceAll(expression, (found: string, before: string) =>
      replaceLast(found, before, version),
    )
    if (written !== text) writeFileSync(join(root, path), written)
  }
}

function replaceLast(text: string, before: string, after: string): string {
  const at = text.lastIndexOf(before)
  return `${text.slice(0, at)}${after}${text.slice(at + before.length)}`
}

function places(root: string): Place[] {
  const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RootManifest
  const manifests = ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)]
  return [...manifests.map((path) => ({ path, expression: inManifest })), ...elsewhere]
}
