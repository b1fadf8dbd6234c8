// Fetches a program from one Debian suite, checks it with the machine's own archive key and keeps the single binary,
// and the libraries it was asked to bring along, in the cache. Nothing is installed and apt's own state is left alone.
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { downloadPackages } from './apt-download.ts'
import { type AptSource, readAptSources } from './apt-sources.ts'

/** A program as Debian packs it. */
export interface DebianBinary {
  /** The name, here and in the cache. */
  readonly name: string
  readonly suite: string
  readonly package: string
  /** Where it lies in the package. */
  readonly path: string
  /** Packages of shared libraries that many machines lack; they are kept beside the binary. */
  readonly libraries?: readonly string[]
}

export interface FetchOrder {
  readonly cacheDir: string
  /** The advice that ends every message of failure. */
  readonly whatToDo: string
  readonly report?: ((line: string) => void) | undefined
}

const run = promisify(execFile)

/** The path of the fetched binary. */
export async function fetchBinary(
  binary: DebianBinary,
  { cacheDir, whatToDo, report }: FetchOrder,
): Promise<string> {
  const { name, suite } = binary
  const sources = readAptSources()
  if (sources.length === 0) {
    throw new Error(`There is no ${name}, and no apt with a Debian archive to fetch one from. ${whatToDo}`)
  }
  // Which of the sources is a Debian archive cannot be told from its address, so each is tried.
  const faults: string[] = []
  for (const source of sources) {
    report?.(`Fetching ${name} from Debian's ${suite} suite; this happens once per machine.`)
    try {
      return await fetchFrom(source, binary, cacheDir)
    } catch (error) {
      faults.push((error as { stderr?: string }).stderr?.trim() || String(error))
    }
  }
  throw new Error(
    `${name} could not be fetched from Debian's ${suite} suite. ${whatToDo}\n${faults.join('\n')}`,
  )
}

async function fetchFrom(source: AptSource, binary: DebianBinary, cacheDir: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'concord-fetch-'))
  try {
    // apt downloads as a user of its own, who must be able to enter.
    chmodSync(work, 0o755)
    const packages = [binary.package, ...(binary.libraries ?? [])]
    const archives = await downloadPackages(source, { suite: binary.suite, packages, work })
    const unpacked = join(work, 'unpacked')
    for (const archive of archives) await run('dpkg-deb', ['-x', archive, unpacked])
    const version = versionOf(archives.find((file) => basename(file).startsWith(`${binary.package}_`)))
    return keep(unpacked, binary, join(cacheDir, `${binary.name}-${version}`))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function versionOf(archive: string | undefined): string {
  return /_([^_]+)_[^_]+\.deb$/.exec(archive ?? '')?.[1] ?? 'unknown'
}

// The binary comes last: a run of another clone that finds it finds its libraries too.
function keep(unpacked: string, { name, path, libraries }: DebianBinary, dir: string): string {
  mkdirSync(dir, { recursive: true })
  const shared = libraries ? globSync(join(unpacked, 'usr', 'lib', '*', '*.so*')) : []
  for (const library of shared) place(library, join(dir, basename(library)))
  return place(join(unpacked, path), join(dir, name))
}

// Renamed into place as a whole: a run of another clone finds all of the file or none.
function place(file: string, target: string): string {
  const draft = `${target}.${process.pid}.new`
  copyFileSync(file, draft)
  chmodSync(draft, 0o755)
  renameSync(draft, target)
  return target
}
