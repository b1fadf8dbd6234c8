/** Hands files to `concord certificate verify`, with the public key and nothing else: no setting, no service, no database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '@concord/tools/launch'

const REPOSITORY = join(import.meta.dirname, '..', '..', '..')
/** At a time, so that the line of arguments stays short. */
const BATCH = 250

export interface Checked {
  readonly valid: boolean
  readonly parts: readonly string[]
}

export interface Checker {
  readonly publicKey: string
  readonly repository?: string | undefined
}

export async function check(
  { publicKey, repository }: Checker,
  files: readonly string[],
): Promise<Checked[]> {
  const folder = await mkdtemp(join(tmpdir(), 'concord-certificates-'))
  try {
    const key = join(folder, 'key.pem')
    await writeFile(key, publicKey)
    const checked: Checked[] = []
    for (let first = 0; first < files.length; first += BATCH) {
      const paths = await Promise.all(
        files.slice(first, first + BATCH).map(async (content, index) => {
          const path = join(folder, `${index}.json`)
          await writeFile(path, content)
          return path
        }),
      )
      checked.push(...(await verify(repository ?? REPOSITORY, key, paths)))
    }
    return checked
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Line {
  readonly valid: boolean
  readonly differences: readonly { readonly part: string }[]
}

const ACCEPTED = 0
const REJECTED = 2

async function verify(repository: string, key: string, paths: readonly string[]): Promise<Checked[]> {
  const entry = join(repository, 'service', 'src', 'main', 'concord.ts')
  const child = startChild({
    command: process.execPath,
    args: [entry, 'certificate', 'verify', ...paths, '--key', key, '--json'],
    env: {},
  })
  const { code } = await child.exited
  const checked = child
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .map(({ valid, differences }) => ({ valid, parts: differences.map(({ part }) => part) }))
  const expected = checked.every(({ valid }) => valid) ? ACCEPTED : REJECTED
  if (checked.length !== paths.length || code !== expected)
    throw new Error(
      `verify ended with ${code} after ${checked.length} files:\n${child.output().slice(-2_000)}`,
    )
  return checked
}
