/** `npm run acceptance -- [files] [options of vitest]`: runs the suite and ends with its exit code. */
import { join } from 'node:path'
import { runTests } from '@concord/tools/tests'

const { dirname } = import.meta
await runTests(dirname, join(dirname, 'vitest.config.ts'), process.argv.slice(2))
