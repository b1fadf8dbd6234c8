/** `npm run acceptance -- [files] [options of vitest]`: runs the suite once and ends with its exit code. */
import { join } from 'node:path'
import { parseCLI, startVitest } from 'vitest/node'

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const vitest = await startVitest(filter, {
  ...options,
  config: join(import.meta.dirname, 'vitest.config.ts'),
  root: import.meta.dirname,
  watch: false,
})
await vitest.close()
