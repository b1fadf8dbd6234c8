/**
 * How a child is started: without the parent's environment, and with the kernel's limits on it before it is Node.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { GIVES_WAY, STARTING_NICENESS } from './courtesy.ts'

export interface Launch {
  readonly entry: URL | string
  readonly memoryMb: number
  /**
   * When the child begins to give way to all other processes; for that it has a session of its own. A child that serves for long does so
   * once it is up. A child that lives for one task does so from its start, because starting is most of its work.
   */
  readonly givesWay: 'never' | 'once-up' | 'from-start'
  /** The folder of the code cache, where there is one. */
  readonly codeCache: string | undefined
  /** The kernel ends it after so much time on a core, also when its parent is gone; without a bound where it is not given. */
  readonly cpuSeconds?: number
}

/**
 * The writable memory that Node maps for itself, most of it address space reserved for code that is never touched:
 * 590 MB were measured. With a margin, because a child that cannot start is worse than one that may take more.
 */
const RESERVED_BY_NODE_MB = 1024

/** The memory of a Node process apart from the heap of its main thread: 45 MB for itself, 15 MB for the watchdog. */
const BESIDE_HEAP_MB = 64

/**
 * - `ulimit -d` bounds writable memory, and unlike `-v` does not count what is merely reserved. It is the only limit
 *   that is there at once: an allocation of 2 GB in one call fails instead of being noticed. On systems that do not
 *   know it, the parent's watch is what there is.
 * - No core files: they would carry documents to the disk.
 * - If the whole machine runs short, the kernel is to take a child and not the worker.
 */
const PREPARE = ['ulimit -c 0', 'ulimit -d "$1"', 'echo 1000 > /proc/self/oom_score_adj']

/**
 * The shell lowers its own priority, so that Node inherits it in all of its threads. Set from within, it would hold for the main thread alone,
 * while those that compile and collect garbage keep theirs. The session is lowered by the child once it is up (`courtesy.ts`): lowered before,
 * a child on a machine with many busy sessions took longer to come up than clients wait for an answer.
 */
const LOWER_PRIORITY = [`command -v nice > /dev/null && set -- nice -n ${STARTING_NICENESS} "$@"`]

/**
 * Buffers are given back to the system when they are freed. Left to itself, the C library keeps what it has once been asked
 * for, and a child that has read one hostile document would look full and be ended for it.
 */
const MEMORY = { MALLOC_MMAP_THRESHOLD_: String(128 * 1024) }

export function launchChild({ entry, memoryMb, givesWay, codeCache, cpuSeconds }: Launch): ChildProcess {
  // Braces, so that a limit that cannot be set is passed over in silence while the command keeps its own stderr. The
  // shift drops the limit from the arguments; what is left is the command.
  const limits = cpuSeconds === undefined ? PREPARE : [...PREPARE, `ulimit -S -t ${Math.ceil(cpuSeconds)}`]
  const before = [...limits, 'shift', ...(givesWay === 'from-start' ? LOWER_PRIORITY : [])]
  const script = `{ ${before.join('; ')}; } 2>/dev/null; exec "$@"`
  const dataKb = (memoryMb + RESERVED_BY_NODE_MB) * 1024
  const file = typeof entry === 'string' ? entry : fileURLToPath(entry)
  const command = [
    process.execPath,
    ...nodeOptions(memoryMb),
    file,
    ...(givesWay === 'never' ? [] : [GIVES_WAY]),
  ]
  return spawn('/bin/sh', ['-c', script, 'sh', String(dataKb), ...command], {
    env: { ...MEMORY, ...(codeCache === undefined ? {} : { NODE_COMPILE_CACHE: codeCache }) },
    detached: givesWay !== 'never',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
}

function nodeOptions(memoryMb: number): string[] {
  return [
    `--max-old-space-size=${Math.max(32, memoryMb - BESIDE_HEAP_MB)}`,
    // Small, so that a leak does not blow it up and make every later collection slow: 1 ms instead of 4.
    '--max-semi-space-size=8',
    // Other threads would help with what is quickly done, and take the time from the child beside.
    '--no-parallel-scavenge',
    '--expose-gc',
    // No debugger can be switched on from outside.
    '--disable-sigusr1',
  ]
}
