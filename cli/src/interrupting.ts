/** Ctrl-C: the first ends the work in good order, the second ends the process. */

/** Whether it was interrupted. Failures that come of the interruption itself are none. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, leave)
  try {
    await work(leaving.signal)
  } catch (error) {
    if (!leaving.signal.aborted) {
      leaving.abort()
      throw error
    }
  } finally {
    for (const signal of signals) process.off(signal, leave)
  }
  return leaving.signal.aborted
}
