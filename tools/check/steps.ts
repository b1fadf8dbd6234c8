// The steps of `npm run check`, as data. A new rule of the house is one more entry here.

export interface CheckStep {
  name: string
  /** A command of node_modules/.bin, or `node` with a file of this repository. */
  command: readonly [file: string, ...options: string[]]
  /** The step is left out, and said to be, while this file does not exist. */
  needs?: string
  /** Takes longer than all others together, so it starts first, and they run beside it. */
  first?: boolean
  /** Measures pace or fills both cores, so nothing else runs beside it. */
  alone?: boolean
  /** Runs in CI and with `--full` only. */
  full?: boolean
}

export const steps: readonly CheckStep[] = [
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'layers', command: ['node', 'tools/check/layers.ts'] },
  { name: 'measure', command: ['node', 'tools/measure.ts', '--check'] },
  // A hint means that the configuration names something that is gone; that is a fault of the house too.
  { name: 'unused', command: ['knip', '--no-progress', '--treat-config-hints-as-errors'] },
  { name: 'secrets', command: ['node', 'tools/check/secrets.ts'] },
  { name: 'text', command: ['node', 'tools/check/committed-text.ts'] },
  { name: 'links', command: ['node', 'tools/check/links.ts'] },
  { name: 'lockfile', command: ['node', 'tools/check/lockfile.ts'] },
  {
    name: 'openapi',
    command: ['node', 'tools/write-openapi.ts', '--check'],
    needs: 'tools/write-openapi.ts',
  },
  { name: 'client', command: ['node', 'tools/write-client.ts', '--check'] },
  { name: 'docs', command: ['node', 'tools/write-docs.ts', '--check'] },
  { name: 'openapi-lint', command: ['redocly', 'lint', 'contract/openapi.json'] },
  {
    name: 'schema',
    command: ['node', 'tools/dump-schema.ts', '--check'],
    needs: 'tools/dump-schema.ts',
  },
  // The projects of vitest.config.ts.
  { name: 'unit', command: ['vitest', 'run', '--project', 'unit'] },
  { name: 'db', command: ['vitest', 'run', '--project', 'db'], first: true },
  { name: 'slow', command: ['vitest', 'run', '--project', 'slow'], alone: true, full: true },
]
