/** One way to make a valid request hostile. */
import type { OpenapiOperation } from '../../../harness/openapi.ts'
import type { Wire } from '../wire.ts'

export interface TwistInput {
  readonly wire: Wire
  readonly operation: OpenapiOperation
  /** The valid value of the body, where the operation has one. */
  readonly body: unknown
  /** A number drawn by the generator, for twists that have a choice of their own. */
  readonly draw: number
  /** A cursor that the service handed out, where one is known. */
  readonly cursor: string | undefined
}

export interface Twist {
  readonly label: string
  readonly apply: (input: TwistInput) => Wire
}

export function twist(label: string, apply: Twist['apply']): Twist {
  return { label, apply }
}

/** The same path with another query. */
export function withQuery(wire: Wire, query: string): Wire {
  return { ...wire, target: `${wire.target.split('?')[0]}?${query}` }
}
