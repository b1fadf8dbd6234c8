/** The face of the folder: which hostile twists suit an operation. */
import type { OpenapiOperation } from '../../harness/openapi.ts'
import { hostileBodies } from './hostile/bodies.ts'
import { hostileCursors } from './hostile/cursors.ts'
import { hostileDocuments } from './hostile/documents.ts'
import { hostileHeaders } from './hostile/headers.ts'
import { hostilePositions } from './hostile/positions.ts'
import { hostileTargets } from './hostile/targets.ts'
import type { Twist } from './hostile/twist.ts'
import { hostileWires } from './hostile/wires.ts'

export { slowWires } from './hostile/wires.ts'

/** A group by the choice; the groups that reach deepest into the operation come more often. */
export function hostileTwistsFor(
  { id, body, parameters }: OpenapiOperation,
  choice: number,
): readonly Twist[] {
  const takes = (wanted: string) => parameters.some(({ name }) => name === wanted)
  const groups = [
    ...(body ? [hostileBodies, hostileBodies, hostileBodies] : []),
    ...(TAKE_DOCUMENTS.has(id) ? [hostileDocuments, hostileDocuments, hostileDocuments] : []),
    ...(takes('cursor') ? [hostileCursors, hostileCursors] : []),
    ...(takes('Last-Event-ID') ? [hostilePositions, hostilePositions] : []),
    hostileTargets,
    hostileTargets,
    hostileHeaders,
    hostileWires,
    hostileBodies,
  ]
  return groups[choice % groups.length] ?? hostileTargets
}

const TAKE_DOCUMENTS = new Set(['ingestDocument', 'ingestBatch', 'registerDocument', 'attachDocument'])
