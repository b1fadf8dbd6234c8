import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Beside everyone's, not in a folder of packages that this workspace does not have.
  cacheDir: join(import.meta.dirname, '..', 'node_modules', '.vite'),
  test: {
    root: import.meta.dirname,
    include: ['specs/**/*.spec.ts'],
    // Finds the service to test, or starts one; the specs learn its address and keys and nothing else.
    globalSetup: ['setup.ts'],
    testTimeout: 15_000,
    hookTimeout: 30_000,
    // No module here keeps anything between files, so they may share what is loaded once.
    isolate: false,
    // Two cores are the machine this must pass on, and the service needs some of them.
    maxWorkers: 2,
  },
})
