/** The figures that every proof of faults ends with: what was promised, and what became of it. */
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProofRun } from './proof.ts'
import type { Ledger } from './ledger.ts'
import { readLedger } from './ledger.ts'
import { listDocuments } from './listing.ts'
import { untilSettled } from './settling.ts'
import type { FaultStage } from './stage.ts'
import { judge } from './verdict.ts'
import type { Verdict } from './verdict.ts'

/** Waits until every document is at its end, prints how long it took, and returns how many never came to it. */
export async function reportSettling(
  { figures }: ProofRun,
  stage: FaultStage,
  patienceMs: number,
): Promise<number> {
  const { left, seconds } = await untilSettled(stage, patienceMs)
  figures.note('seconds until the last document was at its end', seconds)
  // Until the patience was over: what is lost is told apart from what is late, below.
  figures.atMost('documents that never came to their end', left, 0)
  return left
}

/** Reads the end through the API and through SQL, judges it, and prints what was found. */
export async function reportEnd(run: ProofRun, stage: FaultStage): Promise<Ledger> {
  const { servers, fleet, places, history, watch } = stage
  const [ledger, listed] = await Promise.all([
    readLedger(servers.services, fleet.deployment.databaseName),
    listDocuments(fleet.urls()[0] ?? '', places),
  ])
  const verdict = judge(history.calls, ledger, listed)
  reportPromises(run, stage)
  reportVerdict(run, verdict)
  const { figures } = run
  figures.exactly('idempotency keys stored', ledger.idempotencyKeys, history.acknowledged())
  figures.atLeast('looks at the balance meanwhile', watch.looks.balances, 1)
  figures.exactly('looks at which something was missing', watch.imbalances.length, 0)
  list(run.print, watch.imbalances)
  figures.exactly('exits of processes that were not killed', fleet.unaskedExits.length, 0)
  list(run.print, fleet.unaskedExits)
  const crashes = await crashesOf(servers.services.postgres.logFile)
  figures.exactly('processes of Postgres that crashed', crashes.length, 0)
  list(run.print, crashes)
  figures.note('starts that found a server away and were repeated', fleet.failedStarts.length)
  return ledger
}

/** Of themselves: nobody sends these signals. The service gets over it, so that nothing else would tell. */
export async function crashesOf(logFile: string): Promise<string[]> {
  const log = await readFile(logFile, 'utf8').catch(() => '')
  return log.split('\n').filter((line) => /terminated by signal (?:4|7|8|11)\b/.test(line))
}

function reportPromises({ figures }: ProofRun, { history }: FaultStage): void {
  const tries = history.calls.flatMap((call) => call.tries)
  const count = (outcome: string) => tries.filter((each) => each.outcome === outcome).length
  figures.note(
    'tries: accepted / without effect / open',
    `${count('ok')} / ${count('fail')} / ${count('unknown')}`,
  )
  const reopened = history.calls.filter(({ tries: each }) =>
    each.some(({ outcome }) => outcome === 'unknown'),
  )
  figures.note('documents whose first outcome stayed open, sent again under the same key', reopened.length)
  figures.atMost(
    'documents never accepted',
    history.calls.filter(({ ackedAt }) => ackedAt === undefined).length,
    0,
  )
}

function reportVerdict({ figures, print }: ProofRun, verdict: Verdict): void {
  const findings = [
    ['lost', verdict.lost],
    ['double effects', verdict.doubled],
    ['documents that nobody sent', verdict.strangers],
    ['failed without a reason', verdict.unexplained],
    ['scope logs with a gap', verdict.brokenLogs],
    ['keys with different answers', verdict.contradicted],
    ['refused for no reason', verdict.refused],
  ] as const
  for (const [name, found] of findings) {
    figures.exactly(name, found.length, 0)
    list(print, found)
  }
  figures.atMost('documents not at their end', verdict.unended.length, 0)
  list(print, verdict.unended)
  figures.note('documents that ended as failed', verdict.failed)
}

const LISTED = 5

function list(print: (line: string) => void, findings: readonly string[]): void {
  for (const finding of findings.slice(0, LISTED)) print(`  ${finding}`)
  if (findings.length > LISTED) print(`  and ${findings.length - LISTED} more`)
}

/** Only after a failure: what happened, for whoever looks for the reason. */
export async function keepHistory(
  { figures, print, seed }: ProofRun,
  name: string,
  stage: FaultStage,
  faults: unknown,
): Promise<void> {
  if (figures.missed.length === 0) return
  const file = join(tmpdir(), `concord-${name}-${seed}.json`)
  // Without the keys of the tenants.
  const calls = stage.history.calls.map(({ place: { tenantId, scopeId }, ...call }) => ({
    ...call,
    tenantId,
    scopeId,
  }))
  await writeFile(file, JSON.stringify({ seed, faults, calls, output: stage.fleet.deployment.output() }))
  print(`! the history is in ${file}; repeat with --seed ${seed}`)
}
