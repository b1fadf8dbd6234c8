// Runs secretlint over every file that is or would be committed. The list comes from git, so that what is ignored
// (data folders, local settings) is not read and dot files are.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { committedFiles } from './committed-text.ts'

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const files = committedFiles(root)
  // --no-glob: a file name is a name, also where it holds brackets.
  const command = join(root, 'node_modules/.bin/secretlint')
  const run = spawnSync(command, ['--no-glob', ...files], { cwd: root, stdio: 'inherit' })
  if (run.error !== undefined) throw new Error(`${command} did not start; run npm ci.`, { cause: run.error })
  console.log(`${files.length} files read`)
  process.exitCode = run.status ?? 1
}
