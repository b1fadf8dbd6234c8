/**
 * Reads one file in one process. The bytes go in over a socket, and the text or a fault comes back over it. A process
 * that takes too much time or memory is killed.
 */
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { Fault } from '../../domain/fault.ts'
import type { Extraction, FileType } from '../../domain/file-layout.ts'
import type { Log } from '../../platform/log.ts'
import { openGauge } from '../sandbox/gauge.ts'
import { launchChild } from '../sandbox/launch.ts'
import { decodeExtraction, encodeFile, MAX_ANSWER_BYTES } from './wire.ts'

export interface ExtractionLimits {
  /** Wall-clock time. */
  readonly wallMs: number
  /** CPU time. */
  readonly cpuSeconds: number
  readonly memoryMb: number
}

interface ChildOptions {
  readonly entry: URL
  readonly limits: ExtractionLimits
  readonly nice: boolean
  readonly codeCache: string | undefined
  readonly log: Log
  /** Aborted when this process stops. */
  readonly signal: AbortSignal
}

const CHECK_MS = 50
const STDERR_TAIL = 4_096

type KillReason = 'time_exceeded' | 'memory_exceeded' | 'stopped'

export async function extractInChild(
  { entry, limits, nice, codeCache, log, signal }: ChildOptions,
  type: FileType,
  bytes: Uint8Array,
): Promise<Extraction> {
  const { memoryMb, cpuSeconds } = limits
  const child = launchChild({
    entry,
    memoryMb,
    nice: nice ? 'from-start' : 'never',
    codeCache,
    cpuSeconds,
  })
  const gauge = openGauge(child.pid ?? -1)
  const killed: KillReason[] = []
  const kill = (reason: KillReason) => {
    killed.push(reason)
    child.kill('SIGKILL')
  }
  const stop = () => kill('stopped')
  signal.addEventListener('abort', stop, { once: true })
  const watch = setInterval(() => {
    if ((gauge.residentMb() ?? 0) > memoryMb) kill('memory_exceeded')
  }, CHECK_MS)
  const timer = setTimeout(() => kill('time_exceeded'), limits.wallMs)
  try {
    const { answer, end, isOutOfHeap } = await converse(child, type, bytes)
    const extraction = decodeExtraction(answer)
    if (extraction) return extraction
    if (signal.aborted) throw new Fault('unavailable', { internal: 'the process stops' })
    if (isOutOfHeap) return { fault: 'memory_exceeded' }
    if (end === 'SIGXCPU') return { fault: 'time_exceeded' }
    const [why] = killed
    if (why !== undefined && why !== 'stopped') return { fault: why }
    log.warn({ end, type }, 'a process ended while it read a file')
    return { fault: 'crashed' }
  } finally {
    clearInterval(watch)
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    gauge.close()
    child.kill('SIGKILL')
  }
}

interface Conversation {
  readonly answer: Buffer
  /** The exit code or the signal. */
  readonly end: number | string
  readonly isOutOfHeap: boolean
}

async function converse(child: ChildProcess, type: FileType, bytes: Uint8Array): Promise<Conversation> {
  const { promise, resolve, reject } = Promise.withResolvers<Conversation>()
  const channel = child.stdio[3]
  if (!(channel instanceof Socket)) throw new Error('a child has no channel')
  const pieces: Buffer[] = []
  let length = 0
  let stderrTail = ''
  channel.on('data', (piece: Buffer) => {
    length += piece.length
    if (length > MAX_ANSWER_BYTES) child.kill('SIGKILL')
    else pieces.push(piece)
  })
  // A child that exits before it has read everything breaks the channel. Its exit tells why.
  channel.on('error', () => undefined)
  child.stderr?.on('data', (words: Buffer) => {
    if (stderrTail.length < STDERR_TAIL) stderrTail += words.toString('latin1')
  })
  child.once('error', reject)
  child.once('close', (code, signal) =>
    resolve({
      answer: Buffer.concat(pieces),
      end: signal ?? code ?? 0,
      isOutOfHeap: stderrTail.includes('heap out of memory') || stderrTail.includes('allocation failed'),
    }),
  )
  channel.end(Buffer.concat([encodeFile(type), bytes]))
  return promise
}
