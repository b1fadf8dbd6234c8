/** A proof that is asked to end still takes down what it put up: mounts and loop devices outlive a process. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The signal is aborted when this process is asked to end; the work should then fail soon, and clean up as it does. */
export async function withInterruption<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const asked = new AbortController()
  const abort = () => asked.abort(new Error('The proof was asked to end.'))
  for (const name of SIGNALS) process.on(name, abort)
  try {
    return await work(asked.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, abort)
  }
}
