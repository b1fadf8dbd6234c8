/** Hands files to `concord certificate verify`, with the public key and nothing else: no setting, no service, no database. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withFolder } from '@concord/tools/launch'
import { runConcord } from '../../harness/command.ts'

/** At a time, so that the line of arguments stays short. */
const BATCH = 250
const ACCEPTED = 0
const REJECTED = 2

export interface Checker {
  readonly publicKey: string
  readonly repository?: string | undefined
}

export interface CheckedFile {
  readonly valid: boolean
  readonly differences: readonly { readonly part: string }[]
}

export async function check(
  { publicKey, repository }: Checker,
  files: readonly string[],
): Promise<CheckedFile[]> {
  return withFolder('certificates', async (folder) => {
    const key = join(folder, 'key.pem')
    await writeFile(key, publicKey)
    const checked: CheckedFile[] = []
    for (let first = 0; first < files.length; first += BATCH) {
      const batch = files.slice(first, first + BATCH)
      const paths = batch.map((_, index) => join(folder, `${index}.json`))
      await Promise.all(batch.map((content, index) => writeFile(paths[index] ?? '', content)))
      checked.push(...(await verify(repository, key, paths)))
    }
    return checked
  })
}

async function verify(repository: string | undefined, key: string, paths: string[]): Promise<CheckedFile[]> {
  const args = ['certificate', 'verify', ...paths, '--key', key, '--json']
  const { code, stdout } = await runConcord({ repository, codes: [ACCEPTED, REJECTED] }, ...args)
  const lines = stdout.trim().split('\n')
  const checked = lines.map((line) => JSON.parse(line) as CheckedFile)
  const expected = checked.every(({ valid }) => valid) ? ACCEPTED : REJECTED
  if (checked.length !== paths.length || code !== expected)
    throw new Error(`verify ended with ${code} after ${checked.length} of ${paths.length} files`)
  return checked
}
