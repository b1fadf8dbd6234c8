/** Shows the answer of each policy of a set, and the decision of the whole set. */
import type { PolicyDecision, PolicyQuestion } from '../domain/policy.ts'
import type { Cedar, CedarInstance } from './cedar.ts'
import type { ParsedPolicy } from './check.ts'
import { ATTRIBUTES, requestOf } from './request.ts'

export interface Explanation {
  readonly decision: PolicyDecision
  readonly policies: readonly {
    readonly id: string
    readonly effect: 'permit' | 'forbid'
    /** `fails`: the policy could not be evaluated. */
    readonly says: 'applies' | 'does not apply' | 'fails'
  }[]
}

/** With one that permits everything beside it, a policy is among the reasons exactly when it applies, or it forbids alone. */
export function explainWith(
  instance: CedarInstance,
  schema: string,
  parts: ReadonlyMap<string, ParsedPolicy>,
  decision: PolicyDecision,
  question: PolicyQuestion,
): Explanation {
  const request = requestOf(question, ATTRIBUTES[question.point])
  const policies = [...parts].map(([id, { text, json }]) => {
    const answer = instance.ask((cedar) =>
      cedar.isAuthorized({
        ...request,
        schema,
        validateRequest: true,
        policies: { staticPolicies: { [id]: text } },
      }),
    )
    return { id, effect: json.effect, says: saysOf(answer, id) }
  })
  return { decision, policies }
}

function saysOf(answer: Cedar.AuthorizationAnswer, id: string): 'applies' | 'does not apply' | 'fails' {
  if (answer.type === 'failure') throw new Error(answer.errors.map(({ message }) => message).join('; '))
  const { reason, errors } = answer.response.diagnostics
  if (errors.length > 0) return 'fails'
  return reason.includes(id) ? 'applies' : 'does not apply'
}
