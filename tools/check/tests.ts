/** Unit and integration tests, as `npm run check` runs them. */
import { join } from 'node:path'
import { runTests } from '../launch/run-tests.ts'

const root = join(import.meta.dirname, '..', '..')
await runTests(root, join(root, 'vitest.config.ts'), process.argv.slice(2))
