/** removeScopePolicy: an administrator takes the policies of a scope back. */
import { describePolicyRoute, describeRemovePolicy } from '../../rules/policies.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('removeScopePolicy')
const names = { get: 'getScopePolicy', put: 'putScopePolicy', remove: 'removeScopePolicy' } as const

describePolicyRoute(subject, { scoped: true }, (place) => describeRemovePolicy(subject, names, place))
