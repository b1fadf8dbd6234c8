/** Keys end when they should, everywhere; their secrets turn up nowhere; and time tells nothing about them. */
import { proveCanaries } from './canaries.ts'
import { proveDocuments } from './documents.ts'
import { proveLifetimes } from './lifetimes.ts'
import { proveLookups } from './lookups.ts'
import { proveRevocation } from './revocation.ts'
import { sabotages } from './sabotage.ts'
import { proveShowings } from './showings.ts'
import { openStage } from './stage.ts'
import { watchStatements } from './statements.ts'
import { observeStreams, reportStreams } from './streams.ts'
import { proveTiming } from './timing.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = { keys: 32, streamKeys: 4, samples: 2_000, lookups: 1_000 }
const SHORT = { keys: 4, streamKeys: 1, samples: 600, lookups: 300 }

type Run = ProofRun<typeof FULL>

export const keys = defineProof({
  name: 'keys',
  shows:
    'a revoked or expired key is refused everywhere within a second, its streams end within five, and neither ' +
    'keys nor documents are ever written down in clear',
  sabotages:
    'keys are remembered for a minute, revocations not heard, streams not ended, checksums not checked, headers ' +
    'written to the log, texts stored as they came',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT },
  mutations: sabotages,
  prove,
})

async function prove(run: Run): Promise<void> {
  const { figures, size, seed } = run
  const stage = await openStage(run)
  const statements = watchStatements(stage)
  try {
    await proveRevocation(stage, figures, size.keys)
    // Beside each other: both mostly wait.
    const streams = observeStreams(stage, size.streamKeys)
    streams.catch(() => undefined)
    await proveLifetimes(stage, figures)
    reportStreams(figures, await streams)
    await proveTiming(stage, figures, size.samples, seed)
    await proveLookups(stage, figures, size.lookups)
    await proveShowings(stage, figures)
    const traces = await proveDocuments(stage, figures)
    await proveCanaries(run, stage, statements.seen, traces)
  } finally {
    await statements.stop()
    await stage.close()
  }
}
