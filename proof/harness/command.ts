/** `concord` as an operator runs it, from this repository or from a copy that was broken on purpose. */
import { join } from 'node:path'
import { startChild } from '@concord/tools/launch'

export const REPOSITORY = join(import.meta.dirname, '..', '..')

interface CommandOptions {
  readonly repository?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  /** The exit codes with which the output counts. */
  readonly codes?: readonly number[]
}

/** Another exit code is an error with all output. */
export async function runConcord(
  { repository = REPOSITORY, env = {}, codes = [0] }: CommandOptions,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string }> {
  const entry = join(repository, 'service', 'src', 'main', 'concord.ts')
  const child = startChild({ command: process.execPath, args: [entry, ...args], env })
  const { code } = await child.exited
  const stdout = child.stdout()
  if (code !== null && codes.includes(code) && stdout !== '') return { code, stdout }
  throw new Error(
    `concord ${args.slice(0, 2).join(' ')} ended with ${code}:\n${child.output().slice(-2_000)}`,
  )
}
