/** putPolicy: an administrator writes the policies of a tenant. */
import { describePolicyRoute, describeWritePolicy } from '../../rules/policies.ts'
import { createSubject } from '../../subject.ts'
import { NO_DRAFTS } from '../../world/policies.ts'

const subject = createSubject('putPolicy')
const names = { get: 'getPolicy', put: 'putPolicy', remove: 'removePolicy' } as const

describePolicyRoute(subject, { scoped: false, body: { text: NO_DRAFTS } }, (place) =>
  describeWritePolicy(subject, names, place),
)
