/**
 * `npm run release`: packs the client and the Helm chart, writes notes and checksums into `.release` (`--out`), builds the image
 * and makes the tag. With `--dry-run` it builds no image and makes no tag, and says what it would do. `--set VERSION` writes a new
 * version into every file that states one. It pushes nothing.
 */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { releaseNotes } from './release/notes.ts'
import { releaseVersion, setVersion } from './release/versions.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    set: { type: 'string' },
    out: { type: 'string', default: join(root, '.release') },
    image: { type: 'string', default: 'concord' },
  },
})

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The obstacles in the way of a tag. A dry run says it and goes on. */
function findObstacles(tag: string): string[] {
  const changed = run('git', 'status', '--porcelain').trim()
  const known = run('git', 'tag', '--list', tag).trim()
  return [
    ...(changed === '' ? [] : ['Files are not committed. Commit them first.']),
    ...(known === '' ? [] : [`The tag ${tag} exists. Write a new version: npm run release -- --set VERSION`]),
  ]
}

/** The packages that people install, and their checksums. */
function pack(version: string, notes: string, out: string): string[] {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const built = join(out, 'client')
  run('node', 'tools/build-client.ts', '--out', built)
  const client = `concord-client-${version}.tgz`
  renameSync(join(built, client), join(out, client))
  rmSync(built, { recursive: true })
  const chart = `concord-chart-${version}.tgz`
  run('tar', '-czf', join(out, chart), '-C', join(root, 'deploy/helm'), 'concord')
  writeFileSync(join(out, 'notes.md'), notes)
  const sums = [client, chart].map((name) => `${sha256(join(out, name))}  ${name}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  return readdirSync(out)
}

function sha256(path: string): string {
  return hash('sha256', readFileSync(path))
}

function release(version: string, out: string, dryRun: boolean): void {
  const [tag, image] = [`v${version}`, `${values.image}:${version}`]
  const notes = releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  const obstacles = findObstacles(tag)
  if (obstacles.length > 0 && !dryRun) throw new Error(obstacles.join(' '))
  for (const name of pack(version, notes, out)) console.log(`packed   ${name}`)
  const revision = run('git', 'rev-parse', 'HEAD').trim()
  const build = ['build', '--file', 'deploy/Containerfile', '--tag', image]
  build.push('--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${revision}`, '.')
  const steps: readonly (readonly [string, ...string[]])[] = [
    ['docker', ...build],
    ['git', 'tag', '--annotate', tag, '--file', join(out, 'notes.md'), '--cleanup=verbatim'],
  ]
  for (const [command, ...args] of steps) {
    console.log(`${dryRun ? 'would run' : 'run'}  ${[command, ...args].join(' ')}`)
    if (!dryRun) run(command, ...args)
  }
  for (const obstacle of obstacles) console.log(`before a release  ${obstacle}`)
  console.log(dryRun ? `${tag} can be released` : `${tag} is made. Push it: git push origin ${tag}`)
}

try {
  if (values.set === undefined) release(releaseVersion(root), resolve(values.out), values['dry-run'])
  else {
    setVersion(root, values.set)
    console.log(
      `${values.set} is written. Date its entries in CHANGELOG.md, then run node tools/write-openapi.ts.`,
    )
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
