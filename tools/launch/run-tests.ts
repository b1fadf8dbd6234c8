/**
 * Runs a suite of vitest to its end. Some tests watch the clock, and somebody else's work on the same machine can spoil a
 * whole file; so where few files failed, those are run once more by themselves, and both runs are told. Where many
 * failed, something is broken and stays so.
 */
import { parseCLI, startVitest } from 'vitest/node'

const FEW = 5

/** Sets the exit code of the process. */
export async function runTests(root: string, config: string, words: readonly string[]): Promise<void> {
  const failed = await runFiles(root, config, words)
  if (!process.exitCode || failed.length > FEW) return
  // Red without a file that failed: the setting never came to be, or something failed outside of all tests.
  const again = failed.length > 0 ? failed : words
  console.log(['\nOnce more, by themselves:', ...again].join('\n  '))
  process.exitCode = 0
  await runFiles(root, config, again)
}

async function runFiles(root: string, config: string, words: readonly string[]): Promise<string[]> {
  const { filter, options } = parseCLI(['vitest', 'run', ...words])
  const vitest = await startVitest(filter, { ...options, config, root, watch: false })
  const failed = vitest.state.getFailedFilepaths()
  await vitest.close()
  return [...new Set(failed)]
}
