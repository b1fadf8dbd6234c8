/** One way to make a valid request hostile. */
import type { Operation } from '../document.ts'
import type { Wire } from '../wire.ts'

export interface TwistInput {
  readonly wire: Wire
  readonly operation: Operation
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
