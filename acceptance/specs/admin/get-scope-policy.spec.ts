/** getScopePolicy: the policies of a scope. */
import { describePolicyRoute, describeReadPolicy } from '../../rules/policies.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('getScopePolicy')
const names = { get: 'getScopePolicy', put: 'putScopePolicy', remove: 'removeScopePolicy' } as const

describePolicyRoute(subject, { scoped: true }, (place) => describeReadPolicy(subject, names, place))
