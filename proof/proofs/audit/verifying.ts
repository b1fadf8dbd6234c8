/** `concord audit` as an operator runs it: what it prints, whatever it ends with. */
import { join } from 'node:path'
import { startChild } from '@concord/tools/launch'

export interface Verdict {
  readonly entries: number
  readonly seq: number
  readonly unchained: number
  readonly fault: { readonly index: number; readonly kind: string; readonly detail: string } | null
}

export interface Operator {
  exportLog(): Promise<string>
  verifyTable(): Promise<Verdict>
  /** One verdict a file, in order. */
  verifyFiles(paths: readonly string[]): Promise<readonly Verdict[]>
}

const HERE = join(import.meta.dirname, '..', '..', '..')

export function createOperator(
  env: Readonly<Record<string, string>>,
  repository: string | undefined,
  anchor: string,
): Operator {
  const entry = join(repository ?? HERE, 'service', 'src', 'main', 'concord.ts')
  const run = async (...args: string[]): Promise<string> => {
    const child = startChild({ command: process.execPath, args: [entry, 'audit', ...args], env })
    const { code } = await child.exited
    if (code === 0 || (code === 1 && child.stdout() !== '')) return child.stdout()
    throw new Error(`concord audit ${args[0] ?? ''} ended with ${code}:\n${child.output()}`)
  }
  const verify = ['verify', '--json', '--anchor', anchor]
  return {
    exportLog: () => run('export'),
    verifyTable: async () => JSON.parse(await run(...verify)) as Verdict,
    verifyFiles: async (paths) => JSON.parse(await run(...verify, '--file', ...paths)) as Verdict[],
  }
}
