/** getPolicy: the policies of a tenant. */
import { describePolicyRoute, describeReadPolicy } from '../../rules/policies.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('getPolicy')
const names = { get: 'getPolicy', put: 'putPolicy', remove: 'removePolicy' } as const

describePolicyRoute(subject, { scoped: false }, (place) => describeReadPolicy(subject, names, place))
