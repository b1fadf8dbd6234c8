/** putScopePolicy: an administrator writes the policies of a scope. */
import { describePolicyRoute, describeWritePolicy } from '../../rules/policies.ts'
import { createSubject } from '../../subject.ts'
import { NO_DRAFTS } from '../../world/policies.ts'

const subject = createSubject('putScopePolicy')
const names = { get: 'getScopePolicy', put: 'putScopePolicy', remove: 'removeScopePolicy' } as const

describePolicyRoute(subject, { scoped: true, body: { text: NO_DRAFTS } }, (place) =>
  describeWritePolicy(subject, names, place),
)
