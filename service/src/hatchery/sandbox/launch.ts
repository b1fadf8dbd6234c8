/** Launches a child without the environment of the parent. The limits of the kernel are set before Node starts. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { NICE_ARGUMENT, STARTING_NICENESS } from './nice.ts'

export interface Launch {
  readonly entry: URL | string
  readonly memoryMb: number
  /**
   * When the child lowers its priority below all other processes, for which it gets a session of its own. A long-lived
   * child does so once it is ready. A child that lives for one task does so from its start, because the start is most
   * of its work.
   */
  readonly nice: 'never' | 'once-up' | 'from-start'
  /** The folder of the code cache, if there is one. */
  readonly codeCache: string | undefined
  /** The kernel kills the child after this much CPU time, also when the parent is gone. Unlimited by default. */
  readonly cpuSeconds?: number
}

/**
 * The writable memory that Node maps for itself: 590 MB were measured, most of it address space reserved for code and
 * never touched. The value has a margin, because a child that cannot start is worse than one that may take more.
 */
const RESERVED_BY_NODE_MB = 1024

/** The memory of a Node process outside the heap of its main thread: 45 MB for itself, 15 MB for the watchdog. */
const OUTSIDE_HEAP_MB = 64

/**
 * - `ulimit -d` limits writable memory. Unlike `-v` it does not count reserved memory. It is the only limit that
 *   works at once: an allocation of 2 GB in one call fails, while the watch would notice it later. Systems without it
 *   have only the watch of the parent.
 * - Core files are off, because they would write documents to the disk.
 * - If the machine runs out of memory, the kernel should kill a child and not the worker.
 */
const PREPARE = ['ulimit -c 0', 'ulimit -d "$1"', 'echo 1000 > /proc/self/oom_score_adj']

/**
 * The shell lowers its own priority, so that all threads of Node inherit it. If Node lowered it, only the main thread
 * would be nice, and not the threads that compile and collect garbage. The child lowers its session once it is ready
 * (`nice.ts`): when the session was lowered before the start, a child on a machine with many busy sessions took longer
 * to start than clients wait for an answer.
 */
const LOWER_PRIORITY = [`command -v nice > /dev/null && set -- nice -n ${STARTING_NICENESS} "$@"`]

/**
 * Returns buffers to the system when they are freed. By default the C library keeps freed memory, so after one hostile
 * document a child would seem to hold too much memory and be killed for it.
 */
const MEMORY = { MALLOC_MMAP_THRESHOLD_: String(128 * 1024) }

export function launchChild({ entry, memoryMb, nice, codeCache, cpuSeconds }: Launch): ChildProcess {
  // The braces hide the error of a limit that cannot be set, while the command keeps its own stderr. `shift` removes
  // the limit from the arguments, which leaves the command.
  const limits = cpuSeconds === undefined ? PREPARE : [...PREPARE, `ulimit -S -t ${Math.ceil(cpuSeconds)}`]
  const before = [...limits, 'shift', ...(nice === 'from-start' ? LOWER_PRIORITY : [])]
  const script = `{ ${before.join('; ')}; } 2>/dev/null; exec "$@"`
  const dataKb = (memoryMb + RESERVED_BY_NODE_MB) * 1024
  const file = typeof entry === 'string' ? entry : fileURLToPath(entry)
  const command = [
    process.execPath,
    ...nodeOptions(memoryMb),
    file,
    ...(nice === 'never' ? [] : [NICE_ARGUMENT]),
  ]
  return spawn('/bin/sh', ['-c', script, 'sh', String(dataKb), ...command], {
    env: { ...MEMORY, ...(codeCache === undefined ? {} : { NODE_COMPILE_CACHE: codeCache }) },
    detached: nice !== 'never',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
}

function nodeOptions(memoryMb: number): string[] {
  return [
    `--max-old-space-size=${Math.max(32, memoryMb - OUTSIDE_HEAP_MB)}`,
    // A small semi-space, so that a leak cannot grow it and make every later collection slow: 1 ms instead of 4 ms.
    '--max-semi-space-size=8',
    // Helper threads would save little and take time from the other children.
    '--no-parallel-scavenge',
    '--expose-gc',
    // SIGUSR1 must not start a debugger.
    '--disable-sigusr1',
  ]
}
