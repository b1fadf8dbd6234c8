/** removePolicy: an administrator takes the policies of a tenant back. */
import { describePolicyRoute, describeRemovePolicy } from '../../rules/policies.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('removePolicy')
const names = { get: 'getPolicy', put: 'putPolicy', remove: 'removePolicy' } as const

describePolicyRoute(subject, { scoped: false }, (place) => describeRemovePolicy(subject, names, place))
