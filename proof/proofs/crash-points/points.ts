/**
 * Every place at which a process must be able to die. They exist only in a changed copy of the service: the product
 * itself has no switches for it.
 */
import { insertAfter, insertBefore } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import type { PointName } from '../../harness/points.ts'
import type { Role } from '../../harness/member.ts'

export interface CrashPoint {
  readonly role: Role
  readonly name: string
  /** The code beside which the process dies. */
  readonly at: PointName
  readonly side: 'before' | 'after'
  /** Only when this holds, for places that are passed without anything to do. */
  readonly when?: string
}

/** The second argument of the function that sends is the work to send. */
const SOMETHING_TO_SEND = 'arguments[1].length > 0'

export const crashPoints: readonly CrashPoint[] = [
  point('api', 'before a document is sealed', 'before', 'ingest.seal'),
  point('api', 'with the key of the scope at hand', 'after', 'ingest.seal'),
  point('api', 'before documents are written', 'before', 'ingest.write'),
  point('api', 'after documents are committed', 'after', 'ingest.write'),
  point('api', 'before the answer is sent', 'after', 'ingest.accept'),
  point('api', 'before others are told', 'before', 'events.announce'),

  point('dispatcher', 'before leases are renewed', 'before', 'dispatch.renew-leases'),
  point('dispatcher', 'after leases are renewed', 'after', 'dispatch.renew-leases'),
  point('dispatcher', 'after the queue was looked at', 'after', 'dispatch.inspect-queue'),
  point('dispatcher', 'before work is released', 'before', 'dispatch.fill-window'),
  point(
    'dispatcher',
    'after work is released and before it is sent',
    'before',
    'dispatch.send',
    SOMETHING_TO_SEND,
  ),
  point('dispatcher', 'after work is sent', 'after', 'dispatch.send', SOMETHING_TO_SEND),
  point('dispatcher', 'before lost work is taken back', 'before', 'dispatch.recall.write'),
  point('dispatcher', 'after lost work is taken back', 'after', 'dispatch.recall.write'),

  point('worker', 'after a message has come', 'after', 'worker.receive-message'),
  point('worker', 'before an attempt is claimed', 'before', 'attempt.start'),
  point('worker', 'after an attempt is claimed', 'after', 'attempt.start'),
  point('worker', 'before a text is read', 'before', 'attempt.read'),
  point('worker', 'after a text is read', 'after', 'attempt.read'),
  point('worker', 'before results are written', 'before', 'attempt.complete.write'),
  point('worker', 'after results are written, before claims are compared', 'before', 'comparison.compare'),
  point('worker', 'before findings are written', 'before', 'comparison.write'),
  point('worker', 'after findings are written, before the commit', 'after', 'comparison.write'),
  point('worker', 'after results are committed', 'after', 'attempt.complete.commit'),
  point('worker', 'before the message is acknowledged', 'after', 'attempt.complete'),
  point('worker', 'after the message is acknowledged', 'after', 'attempt.acknowledge'),
]

function point(role: Role, name: string, side: CrashPoint['side'], at: PointName, when?: string): CrashPoint {
  return { role, name, at, side, ...(when && { when }) }
}

/** Only passed when something was lost. */
export function isRecall({ at }: CrashPoint): boolean {
  return at === 'dispatch.recall.write'
}

/** The name of the file that arms the point; dying takes it away, so each arming kills one process once. */
export function markerOf({ role, name }: CrashPoint): string {
  return `${role} ${name}`.replaceAll(' ', '-')
}

/** The role is the first argument of the command, so a place that two roles pass kills the one that is meant. */
const DIE: Mutation = {
  name: 'processes can die',
  at: 'process.start',
  change: insertBefore(`globalThis.dieAt = (name) => {
  try {
    process.getBuiltinModule('node:fs').unlinkSync(process.env.CRASH_FOLDER + '/' + process.argv[2] + '-' + name)
  } catch {
    return
  }
  process.kill(process.pid, 'SIGKILL')
}`),
}

export function toMutations(points: readonly CrashPoint[]): Mutation[] {
  return [DIE, ...points.map(toMutation)]
}

function toMutation(crashPoint: CrashPoint): Mutation {
  const { role, name, at, side, when } = crashPoint
  const die = `${when ? `if (${when}) ` : ''}globalThis.dieAt?.('${markerOf(crashPoint).slice(role.length + 1)}')`
  return {
    name: `the ${role} dies ${name}`,
    at,
    change: side === 'before' ? insertBefore(die) : insertAfter(die),
  }
}
