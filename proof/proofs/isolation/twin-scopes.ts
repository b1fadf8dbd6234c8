/** Scopes that both twins have for requests that change a scope itself: none of them holds anything to be seen. */

/** What is stopped can be neither paused nor resumed, so those who stop have one of their own. */
const SWITCHED = 'switched'
const STOPPED = 'stopped'
/** Emptied any number of times. */
export const EMPTIED_SCOPE_ID = 'emptied'
/** Emptied, deleted and made again by chance. */
export const PASSING_SCOPE_ID = 'passing-scope'

export const EXPENDABLE_SCOPE_IDS = [SWITCHED, STOPPED, EMPTIED_SCOPE_ID, PASSING_SCOPE_ID] as const

const TIERS = ['Runtime', 'TenantRuntime'] as const
const MOVES = ['start', 'pause', 'resume', 'stop', 'restart'] as const

/**
 * The moves of the runtime, each with a scope on which it succeeds however often it is made. Always a scope: the whole
 * service is not to stand still while others want something done.
 */
export const SWITCHED_SCOPES: ReadonlyMap<string, string> = new Map(
  TIERS.flatMap((tier) =>
    MOVES.map((move): [string, string] => [`${move}${tier}`, move === 'stop' ? STOPPED : SWITCHED]),
  ),
)

export function changesScope(operation: string): boolean {
  return operation === 'resetScope' || operation === 'deleteScope'
}
