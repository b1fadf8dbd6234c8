import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** It stops and pauses the whole service, so nobody else may want work done meanwhile. */
const ALONE = 'specs/admin/service-runtime.spec.ts'

const common = {
  root: import.meta.dirname,
  testTimeout: 20_000,
  hookTimeout: 60_000,
  // No module here keeps anything between files, so they may share what is loaded once.
  isolate: false,
  // Two cores are the machine this must pass on, and the service needs some of them.
  maxWorkers: 2,
}

export default defineConfig({
  // Beside everyone's, not in a folder of packages that this workspace does not have.
  cacheDir: join(import.meta.dirname, '..', 'node_modules', '.vite'),
  test: {
    ...common,
    // Finds the service to test, or starts one; the specs learn its address and keys and nothing else.
    globalSetup: ['setup.ts'],
    projects: [
      { test: { ...common, name: 'together', include: ['specs/**/*.spec.ts'], exclude: [ALONE] } },
      // A group begins when the one before it has ended.
      { test: { ...common, name: 'alone', include: [ALONE], sequence: { groupOrder: 1 } } },
    ],
  },
})
