/** The mutations of --sabotage, each in a way that only one of the checks can see. */
import { insertAfter, insertBefore, rewrite } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

export const sabotages: readonly Mutation[] = [
  {
    name: 'a list throws when a page of 100 is asked for',
    at: 'http.list-scopes',
    // The name of the parameter in the contract.
    change: insertBefore("if (limit === 100) throw new TypeError('sabotage')"),
  },
  {
    name: 'answers carry a field that their schema does not name',
    at: 'http.send.response',
    change: rewrite((send) =>
      send.replace(/JSON\.stringify\((.*)\)\)/, 'JSON.stringify({ ...$1, row_version: 1 }))'),
    ),
  },
  {
    name: 'events carry a field that their schema does not name',
    at: ['http.send.scope-event', 'http.send.kernel-event'],
    change: insertAfter('row_version: 1'),
  },
  {
    name: 'problems tell where in the code they arose',
    at: 'http.send.problem',
    change: rewrite((send) =>
      send.replace(
        /JSON\.stringify\(([^()]*)\)/,
        'JSON.stringify({ ...$1, detail: String(new Error().stack) })',
      ),
    ),
  },
]
