/**
 * Every place at which a process must be able to die. They exist only in a changed copy of the service: the product
 * itself has no switches for it.
 */
import type { Mutation } from '../../harness/mutation.ts'
import type { Role } from '../../harness/member.ts'

export interface CrashPoint {
  readonly role: Role
  readonly name: string
  readonly file: string
  /** The text beside which the process dies; once in its file. */
  readonly text: string
  readonly side: 'before' | 'after'
  /** Only when this holds, for places that are passed without anything to do. */
  readonly when?: string
}

const ingest = 'app/ingest.ts'
const accepting = 'store/accepting.ts'
const dispatcher = 'dispatch/dispatcher.ts'
const releasing = 'app/releasing.ts'
/** Only passed when something was lost. */
export const RECALLS = 'store/releasing.ts'
const queue = 'engine/work-queue.ts'
const attempt = 'worker/attempt.ts'
const attempts = 'store/attempts.ts'
const settling = 'app/settling.ts'
/** Only passed where documents claim something. */
const comparing = 'app/comparing.ts'

const SEAL = 'const seal = await seals.get(tenantId, what.scopeId)'
const ACCEPTED = 'const accepted = await ingest.ingestDocument(who, request)'
const RENEW = 'const held = await deps.releasing.renewLeases()'
const RELEASE = 'const released = await fillWindow(deps, shards)'
const PUBLISH = 'await queue.publish(released).catch(() => undefined)'
const CLAIM = 'const claim = await deps.attempts.claim(delivery.note)'
const COMPARE = 'const compared = await compareChanged(connection, { changes, openings }, means)'
const CLOSE = 'await closeComparison(connection, outcomes)'
const READ = 'const outcome = await deps.read(task)'
const SETTLE = 'const outcome = await deps.attempts.settle(result)'
const SOMETHING = 'released.length > 0'

export const crashPoints: readonly CrashPoint[] = [
  point('api', 'before a document is sealed', ingest, SEAL, 'before'),
  point('api', 'with the key of the scope at hand', ingest, SEAL, 'after'),
  point(
    'api',
    'before documents are written',
    accepting,
    '  const { rows } = await pool.query<Row>',
    'before',
  ),
  point('api', 'after documents are committed', accepting, 'const answers: AcceptAnswer[] = []', 'before'),
  point('api', 'before the answer is sent', 'http/public/ingest-document.ts', ACCEPTED, 'after'),
  point('api', 'before others are told', 'main/announcer.ts', 'timer = undefined', 'after'),

  point('dispatcher', 'before leases are renewed', dispatcher, RENEW, 'before'),
  point('dispatcher', 'after leases are renewed', dispatcher, RENEW, 'after'),
  point(
    'dispatcher',
    'after the queue was looked at',
    releasing,
    'const state = await deps.queue.inspect()',
    'after',
  ),
  point('dispatcher', 'before work is released', releasing, RELEASE, 'before'),
  point('dispatcher', 'after work is released and before it is sent', releasing, RELEASE, 'after', SOMETHING),
  point('dispatcher', 'after work is sent', releasing, PUBLISH, 'after', SOMETHING),
  point('dispatcher', 'before lost work is taken back', RECALLS, '  const { rowCount } = await', 'before'),
  point('dispatcher', 'after lost work is taken back', RECALLS, 'return rowCount ?? 0', 'before'),

  point('worker', 'after a message has come', queue, 'const note = decodeNote(message.string())', 'after'),
  point('worker', 'before an attempt is claimed', attempt, CLAIM, 'before'),
  point('worker', 'after an attempt is claimed', attempt, CLAIM, 'after'),
  point('worker', 'before a text is read', attempt, READ, 'before'),
  point('worker', 'after a text is read', attempt, READ, 'after'),
  point('worker', 'before results are written', attempts, 'const pieces: Buffer[] = []', 'before'),
  point('worker', 'after results are written, before claims are compared', comparing, COMPARE, 'before'),
  point('worker', 'before findings are written', comparing, CLOSE, 'before'),
  point('worker', 'after findings are written, before the commit', comparing, CLOSE, 'after'),
  point('worker', 'after results are committed', settling, 'return outcomes', 'before'),
  point('worker', 'before the message is acknowledged', attempt, SETTLE, 'after'),
  point('worker', 'after the message is acknowledged', attempt, 'deps.announceEvents(result', 'before'),
]

function point(
  role: Role,
  name: string,
  file: string,
  text: string,
  side: CrashPoint['side'],
  when?: string,
): CrashPoint {
  return { role, name, file, text, side, ...(when && { when }) }
}

/** The name of the file that arms the point; dying takes it away, so each arming kills one process once. */
export function markerOf({ role, name }: CrashPoint): string {
  return `${role} ${name}`.replaceAll(' ', '-')
}

/** The role is the first argument of the command, so a place that two roles pass kills the one that is meant. */
const DIE: Mutation = {
  name: 'processes can die',
  files: 'service/src/main/program.ts',
  find: 'const createProgram = () =>',
  replace: `globalThis.dieAt = (name) => {
  try {
    process.getBuiltinModule('node:fs').unlinkSync(process.env.CRASH_FOLDER + '/' + process.argv[2] + '-' + name)
  } catch {
    return
  }
  process.kill(process.pid, 'SIGKILL')
}

const createProgram = () =>`,
}

export function toMutations(points: readonly CrashPoint[]): Mutation[] {
  return [DIE, ...points.map(toMutation)]
}

function toMutation(crashPoint: CrashPoint): Mutation {
  const { role, name, file, text, side, when } = crashPoint
  const die = `${when ? `if (${when}) ` : ''}globalThis.dieAt?.('${markerOf(crashPoint).slice(role.length + 1)}')`
  return {
    name: `the ${role} dies ${name}`,
    files: `service/src/${file}`,
    find: text,
    replace: side === 'before' ? `;${die};\n${text}` : `${text}\n;${die};`,
  }
}
