// Which Postgres to run: the one asked for, else the newest on this machine, else the one inside the
// registry package. Support starts at version 15.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { unpackEmbedded } from './embedded-postgres.ts'
import type { RunAs } from './processes.ts'

export interface PostgresBinaries {
  /** 'system', 'embedded' or the bin directory that was asked for. */
  readonly choice: string
  readonly binDir: string
  readonly version: string
  readonly major: number
}

export interface BinariesQuestion {
  readonly choice?: string | undefined
  readonly searchPath: string
  readonly home: string
  readonly runAs: RunAs | undefined
}

const OLDEST_MAJOR = 15
// Debian keeps the servers, one per version, off the path.
const DEBIAN_ROOT = '/usr/lib/postgresql'

export async function choosePostgres(question: BinariesQuestion): Promise<PostgresBinaries> {
  const { choice, runAs } = question
  if (choice === 'system')
    return newestInstalled(question) ?? missing('No Postgres 15 or newer is installed.')
  if (choice === 'embedded')
    return (await embedded(question)) ?? missing('The embedded Postgres is not there.')
  if (choice === undefined) {
    const found = newestInstalled(question) ?? (await embedded(question))
    return found ?? missing('There is no Postgres 15 or newer here.')
  }
  if (!isAbsolute(choice))
    throw new Error(`CONCORD_POSTGRES is "${choice}": give system, embedded or a full path.`)
  const given = examine(choice, choice, runAs)
  if (given && given.major >= OLDEST_MAJOR) return given
  throw new Error(
    `${choice} holds no initdb and postgres of version ${OLDEST_MAJOR} or newer that can be run${runAs ? ` by user ${runAs.uid}` : ''}.`,
  )
}

function newestInstalled({ searchPath, runAs }: BinariesQuestion): PostgresBinaries | undefined {
  const onPath = searchPath
    .split(delimiter)
    .filter((dir) => isAbsolute(dir) && existsSync(join(dir, 'postgres')))
  // Links on the path lead to where initdb finds the rest of its installation.
  const resolved = onPath.map((dir) => dirname(realpathSync(join(dir, 'postgres'))))
  const debian = existsSync(DEBIAN_ROOT)
    ? readdirSync(DEBIAN_ROOT).map((v) => join(DEBIAN_ROOT, v, 'bin'))
    : []
  const found = [...new Set([...resolved, ...debian])].map((dir) => examine('system', dir, runAs))
  const usable = found.filter((each) => each !== undefined).filter(({ major }) => major >= OLDEST_MAJOR)
  return usable.toSorted((a, b) => b.major - a.major)[0]
}

async function embedded({ home, runAs }: BinariesQuestion): Promise<PostgresBinaries | undefined> {
  const binDir = await unpackEmbedded(home)
  return binDir === undefined ? undefined : examine('embedded', binDir, runAs)
}

/** Runs the binary as the user who is to run it later: being there is not enough. */
function examine(choice: string, binDir: string, runAs: RunAs | undefined): PostgresBinaries | undefined {
  // A package of clients alone has neither of the two programs needed.
  if (!existsSync(join(binDir, 'initdb'))) return undefined
  const asked = spawnSync(join(binDir, 'postgres'), ['--version'], { cwd: '/', encoding: 'utf8', ...runAs })
  const [, version, major] = /\(PostgreSQL\) ((\d+)\S*)/.exec(asked.stdout ?? '') ?? []
  return version ? { choice, binDir, version, major: Number(major) } : undefined
}

function missing(what: string): never {
  throw new Error(
    `${what} Install it (Debian: apt-get install postgresql; macOS: brew install postgresql), or run npm install with optional dependencies and set CONCORD_POSTGRES=embedded.`,
  )
}
