// Fetches nats-server from the one Debian suite that has it new enough, checks it with the machine's own archive key
// and keeps the single binary in the cache. Nothing is installed and apt's own state is left alone.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AptSource, readAptSources } from './apt-sources.ts'

export interface FetchOrder {
  readonly cacheDir: string
  /** The advice that ends every message of failure. */
  readonly whatToDo: string
  readonly report?: ((line: string) => void) | undefined
}

// The suites for installed systems carry 2.9 and 2.10. This one's package needs only libc 2.34.
const SUITE = 'forky'
const PACKAGE = 'nats-server'
const APT_MS = 180_000
const run = promisify(execFile)

/** The path of the fetched binary. */
export async function fetchNatsServer({ cacheDir, whatToDo, report }: FetchOrder): Promise<string> {
  const sources = readAptSources()
  if (sources.length === 0) {
    throw new Error(
      `There is no nats-server, and no apt with a Debian archive to fetch one from. ${whatToDo}`,
    )
  }
  // Which of the sources is a Debian archive cannot be told from its address, so each is tried.
  const faults: string[] = []
  for (const source of sources) {
    report?.(`Fetching ${PACKAGE} from Debian's ${SUITE} suite; this happens once per machine.`)
    try {
      return await fetchFrom(source, cacheDir)
    } catch (error) {
      faults.push((error as { stderr?: string }).stderr?.trim() || String(error))
    }
  }
  throw new Error(
    `nats-server could not be fetched from Debian's ${SUITE} suite. ${whatToDo}\n${faults.join('\n')}`,
  )
}

async function fetchFrom(source: AptSource, cacheDir: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'concord-nats-'))
  try {
    // apt downloads as a user of its own, who must be able to enter.
    chmodSync(work, 0o755)
    const archive = await download(source, work)
    await run('dpkg-deb', ['-x', archive, join(work, 'unpacked')])
    return keep(join(work, 'unpacked', 'usr', 'sbin', PACKAGE), archive, cacheDir)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Runs apt on a private list of sources and in private directories; returns the path of the package. */
async function download(source: AptSource, work: string): Promise<string> {
  // Named, because a machine set up for foreign programs would fetch the index of every architecture.
  const { stdout: architecture } = await run('dpkg', ['--print-architecture'])
  const list = join(work, 'one-suite.sources')
  writeFileSync(list, stanza(source, architecture.trim()), { mode: 0o644 })
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
  await run('apt-get', [...options, 'download', `${PACKAGE}/${SUITE}`], settings)
  const file = readdirSync(settings.cwd).find((name) => name.endsWith('.deb'))
  if (file === undefined) throw new Error(`apt-get download ${PACKAGE} left no package behind`)
  return join(settings.cwd, file)
}

function stanza({ uri, signedBy }: AptSource, architecture: string): string {
  const fields = [
    `Types: deb`,
    `URIs: ${uri}`,
    `Suites: ${SUITE}`,
    'Components: main',
    `Architectures: ${architecture}`,
  ]
  return [...fields, ...(signedBy ? [`Signed-By: ${signedBy}`] : []), ''].join('\n')
}

// Renamed into place as a whole: a run of another clone finds all of the binary or none.
function keep(binary: string, archive: string, cacheDir: string): string {
  const version = /_([^_]+)_[^_]+\.deb$/.exec(archive)?.[1] ?? 'unknown'
  const dir = join(cacheDir, `${PACKAGE}-${version}`)
  mkdirSync(dir, { recursive: true })
  const draft = join(dir, `.${process.pid}.new`)
  copyFileSync(binary, draft)
  chmodSync(draft, 0o755)
  renameSync(draft, join(dir, PACKAGE))
  return join(dir, PACKAGE)
}
