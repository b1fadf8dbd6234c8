/** The `concord` command. Here only so that Node keeps what it compiles before anything worth keeping is loaded. */
import { enableCompileCache } from 'node:module'
import { openCodeCache } from '../platform/code-cache.ts'

const codeCache = openCodeCache()
// A folder of this user alone, or none: left to itself Node would take one that anybody may have made before.
if (codeCache !== undefined) enableCompileCache(codeCache)
const { runProgram } = await import('./program.ts')
await runProgram()
