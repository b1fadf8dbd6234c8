// Small JSON files that only their owner may read, replaced as a whole: a reader sees the old or the new
// content, and a crash leaves one of the two.
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/** Needs no escaping in a connection address, in SQL or in a configuration file. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

export function writeSecret(file: string, content: string): void {
  const draft = `${file}.${process.pid}.new`
  const fd = openSync(draft, 'w', 0o600)
  try {
    writeSync(fd, content)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  // A draft left by a killed run keeps its old mode through the open above.
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

/** The parsed content, or undefined when there is no such file or it is not JSON. */
export function readJson(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(
      `Cannot read ${file}. Was it written by another user, such as root? Use that user, or delete it.`,
      {
        cause: error,
      },
    )
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
