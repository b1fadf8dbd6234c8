import { sortTests } from '@concord/tools/test-projects'
import { defineConfig } from 'vitest/config'

const TESTS = [
  '{contract,reading,reader-rules,service,client,mcp,examples,cli,tools,proof,quality}/**/*.test.ts',
]

/**
 * Files that take long by their nature: they build an image or a package, start clusters, measure pace, fill sandboxes to their
 * limits, start a whole service and wait for what it does, or start one process a test. A file that looks at what its process has
 * loaded is here too, because only these files have a process of their own. `npm run check -- --full` and CI run them; every
 * other file runs in each check.
 */
const SLOW = [
  'cli/test/{case-at-terminal,casework,control-characters,demo,ingest,init,init-terminal,launcher,reading,report}.test.ts',
  'client/test/{examples,package}.test.ts',
  'examples/test/examples.test.ts',
  'mcp/test/mcp.test.ts',
  'proof/test/{fuzz-values,offsets,simulate-world}.test.ts',
  'service/test/app/comparing/comparison.{compared,cuts,flat,monotone,order}.test.ts',
  'service/test/app/comparing/{facts.flat,group-steps}.test.ts',
  'service/test/app/upkeep/scope-moves.load.test.ts',
  'service/test/app/model/model-rate.test.ts',
  'service/test/command/{contradictions,doctor,keys,scopes}.test.ts',
  'service/test/deploy/image.test.ts',
  'service/test/hatchery/extractor.test.ts',
  'service/test/hatchery/sandbox/{lifetime,neighbours,outcomes,reader}.test.ts',
  'service/test/http/{fair-shares,slow-body}.test.ts',
  'service/test/main/{api,backup,claims,concord.restart,dependencies,hatchery,judge,kernel,model,model-rate,outage,telemetry,telemetry.off,up}.test.ts',
  'reading/test/speed.test.ts',
  'tools/ci/ci.test.ts',
  'tools/dev/dev.test.ts',
  'tools/docs/pages/pages.test.ts',
  'tools/services/{private-server,roles,services}.test.ts',
]

const { unit, db, slow } = sortTests(import.meta.dirname, TESTS, SLOW)

const common = {
  // A machine that is busy with other work may be ten times slower; only a test that hangs should fail by this.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Two cores are the machine this must pass on.
  maxWorkers: 2,
  restoreMocks: true,
}
// Importing a module does nothing, and none keeps anything between files, so the files of a worker share what is loaded.
const together = { ...common, isolate: false, setupFiles: ['tools/launch/vitest-file.ts'] }
// Real servers, started once for all files; each file copies a database of its own.
const servers = { globalSetup: ['tools/launch/vitest-setup.ts'] }

export default defineConfig({
  test: {
    ...common,
    projects: [
      { test: { ...together, name: 'unit', include: unit, pool: 'threads' } },
      { test: { ...together, ...servers, name: 'db', include: db, pool: 'forks' } },
      { test: { ...common, ...servers, name: 'slow', include: slow, pool: 'forks' } },
    ],
  },
})
