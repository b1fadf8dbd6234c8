/** One mutation at a time: one that passes unnoticed must not hide behind the others. */
import { withMutatedRepository } from './mutation.ts'
import type { Mutation } from './mutation.ts'
import type { ProofRun } from './proof.ts'

/** Throws unless the proof of the changed copy misses a bound. An error before any bound is missed shows nothing. */
export async function expectNotice<Size>(
  run: ProofRun<Size>,
  mutation: Mutation,
  prove: (run: ProofRun<Size>) => Promise<void>,
  instruments: readonly Mutation[] = [],
): Promise<void> {
  const before = run.figures.missed.length
  run.print(`# ${mutation.name}:`)
  await withMutatedRepository([...instruments, mutation], (repository) => prove({ ...run, repository }))
  if (run.figures.missed.length === before) throw new Error(`NOT NOTICED: ${mutation.name}`)
}
