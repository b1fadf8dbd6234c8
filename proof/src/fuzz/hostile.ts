/** The face of the folder: which hostile twists suit an operation. */
import type { Operation } from './document.ts'
import { hostileBodies } from './hostile/bodies.ts'
import { hostileCursors } from './hostile/cursors.ts'
import { hostileHeaders } from './hostile/headers.ts'
import { hostileTargets } from './hostile/targets.ts'
import type { Twist } from './hostile/twist.ts'
import { hostileWires } from './hostile/wires.ts'

export { slowWires } from './hostile/wires.ts'

/** A group by the choice; the groups that reach deepest into the operation come more often. */
export function hostileTwistsFor({ body, parameters }: Operation, choice: number): readonly Twist[] {
  const hasCursor = parameters.some(({ name }) => name === 'cursor')
  const groups = [
    ...(body ? [hostileBodies, hostileBodies, hostileBodies] : []),
    ...(hasCursor ? [hostileCursors, hostileCursors] : []),
    hostileTargets,
    hostileTargets,
    hostileHeaders,
    hostileWires,
    hostileBodies,
  ]
  return groups[choice % groups.length] ?? hostileTargets
}
