/** What --sabotage breaks, each in a way that only one of the checks can see. */
import type { Mutation } from '../../harness/mutation.ts'

export const sabotages: readonly Mutation[] = [
  {
    name: 'a list throws when a page of 100 is asked for',
    files: 'service/src/http/public/list-own-scopes.ts',
    find: 'const page = await listScopes(',
    replace: "if (limit === 100) throw new TypeError('sabotage')\n    const page = await listScopes(",
  },
  {
    name: 'answers carry a field that their schema does not name',
    files: 'service/src/http/mount.ts',
    find: /JSON\.stringify\((\w+\.parse\(answer\.body\))\)/,
    replace: 'JSON.stringify({ ...($1 as object), row_version: 1 })',
  },
  {
    name: 'events carry a field that their schema does not name',
    files: 'service/src/http/cloud-event.ts',
    find: "specversion: '1.0',",
    replace: "specversion: '1.0', row_version: 1,",
  },
  {
    name: 'problems tell where in the code they arose',
    files: 'service/src/http/problems.ts',
    find: '.send(JSON.stringify(document))',
    replace: '.send(JSON.stringify({ ...document, detail: String(fault.stack) }))',
  },
]
