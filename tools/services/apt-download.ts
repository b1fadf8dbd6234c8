// Downloads packages by name from one suite, with apt working on a private list of sources and in private directories.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AptSource } from './apt-sources.ts'

export interface Download {
  readonly suite: string
  readonly packages: readonly string[]
  /** An empty directory that the user of apt can enter. */
  readonly work: string
}

const APT_MS = 180_000
const run = promisify(execFile)

/** The paths of the packages. */
export async function downloadPackages(
  source: AptSource,
  { suite, packages, work }: Download,
): Promise<string[]> {
  // Named, because a machine set up for foreign programs would fetch the index of every architecture.
  const { stdout: architecture } = await run('dpkg', ['--print-architecture'])
  const list = join(work, 'one-suite.sources')
  writeFileSync(list, stanza(source, suite, architecture.trim()), { mode: 0o644 })
  for (const dir of ['lists/partial', 'cache/archives/partial', 'download']) {
    mkdirSync(join(work, dir), { recursive: true })
  }
  const options = [
    `Dir::Etc::sourcelist=${list}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(work, 'lists')}`,
    `Dir::Cache=${join(work, 'cache')}`,
    'Acquire::Languages=none',
    'Acquire::Retries=2',
    // Without this apt takes an index it cannot fetch for a warning and goes on with none.
    'APT::Update::Error-Mode=any',
  ].flatMap((option) => ['-o', option])
  const settings = { cwd: join(work, 'download'), timeout: APT_MS }
  await run('apt-get', [...options, 'update'], settings)
  await run('apt-get', [...options, 'download', ...packages.map((name) => `${name}/${suite}`)], settings)
  const files = readdirSync(settings.cwd).filter((name) => name.endsWith('.deb'))
  if (files.length < packages.length) throw new Error(`apt-get download ${packages.join(' ')} left too few`)
  return files.map((file) => join(settings.cwd, file))
}

function stanza({ uri, signedBy }: AptSource, suite: string, architecture: string): string {
  const fields = [
    `Types: deb`,
    `URIs: ${uri}`,
    `Suites: ${suite}`,
    'Components: main',
    `Architectures: ${architecture}`,
  ]
  return [...fields, ...(signedBy ? [`Signed-By: ${signedBy}`] : []), ''].join('\n')
}
