import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,service,client,mcp,examples,cli,tools,proof,quality}/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    // Real servers, started once for all files; each file copies a database of its own.
    globalSetup: ['tools/launch/vitest-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Two cores are the machine this must pass on.
    maxWorkers: 2,
    // Some tests watch the clock, and the machine may be busy with somebody else's work. A second try is told of as such.
    retry: 1,
    restoreMocks: true,
  },
})
