/** The figures that every proof of faults ends with: what was promised, and what became of it. */
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fleet } from './fleet.ts'
import { readLedger } from './ledger.ts'
import type { Ledger } from './ledger.ts'
import { listDocuments } from './listing.ts'
import type { ProofRun } from './proof.ts'
import type { FaultStage } from './stage.ts'
import { judge } from './verdict.ts'
import type { ProofVerdict } from './verdict.ts'
import { countLeft } from './watch.ts'

/** Waits until every document is at its end, prints how long it took, and returns how many never came to it. */
export async function reportSettling(
  { figures }: ProofRun,
  { fleet }: { readonly fleet: Fleet },
  withinMs: number,
): Promise<number> {
  const started = performance.now()
  const left = await countLeft(fleet.ask, withinMs)
  figures.note('seconds until the last document was at its end', (performance.now() - started) / 1000)
  figures.atMost(`documents not at their end after ${withinMs / 1000} s`, left, 0)
  return left
}

/** Reads the end through the API and through SQL, judges it, and prints what was found. */
export async function reportEnd(run: ProofRun, stage: FaultStage): Promise<Ledger> {
  const { figures } = run
  const { servers, fleet, places, history, watch } = stage
  const [ledger, listed] = await Promise.all([readLedger(fleet.ask), listDocuments(fleet.url(), places)])
  reportTries(run, stage)
  reportVerdict(run, judge(history.calls, ledger, listed))
  figures.exactly('idempotency keys stored', ledger.idempotencyKeys, history.acknowledged())
  figures.atLeast('looks at the balance meanwhile', watch.looks.balances, 1)
  figures.none('looks at which something was missing', watch.imbalances)
  reportExits(run, fleet)
  const crashes = await crashesOf(servers.services.postgres.logFile)
  figures.none('processes of Postgres that crashed', crashes)
  figures.note('starts that found a server away and were repeated', fleet.failedStarts.length)
  return ledger
}

export function reportExits({ figures }: ProofRun, { unaskedExits }: Fleet): void {
  figures.none('exits of processes that were not killed', unaskedExits)
}

/** For proofs in which nothing may keep a document from being read at the first attempt. */
export function reportFirstAttempts({ figures }: ProofRun, { documents, repeatedClaims }: Ledger): void {
  const repeated = new Set(repeatedClaims.map(({ document }) => document))
  figures.atMost('documents that failed', documents.filter(({ status }) => status === 'failed').length, 0)
  figures.atMost('documents with more than one attempt', repeated.size, 0)
}

/** Reports processes that ended by themselves. The service recovers, so no other figure shows it. */
export async function crashesOf(logFile: string): Promise<string[]> {
  const log = await readFile(logFile, 'utf8').catch(() => '')
  return log.split('\n').filter((line) => /terminated by signal (?:4|7|8|11)\b/.test(line))
}

function reportTries({ figures }: ProofRun, { history: { calls } }: FaultStage): void {
  const tries = calls.flatMap((call) => call.tries)
  const count = (outcome: string) => tries.filter((each) => each.outcome === outcome).length
  figures.note(
    'tries: accepted / without effect / open',
    `${count('ok')} / ${count('fail')} / ${count('unknown')}`,
  )
  const reopened = calls.filter((call) => call.tries.some(({ outcome }) => outcome === 'unknown'))
  const unaccepted = calls.filter(({ ackedAt }) => ackedAt === undefined)
  figures.note('documents whose first outcome stayed open, sent again under the same key', reopened.length)
  figures.atMost('documents never accepted', unaccepted.length, 0)
}

function reportVerdict({ figures }: ProofRun, verdict: ProofVerdict): void {
  figures.none('lost', verdict.lost)
  figures.none('double effects', verdict.doubled)
  figures.none('documents that nobody sent', verdict.strangers)
  figures.none('failed without a reason', verdict.unexplained)
  figures.none('scope logs with a gap', verdict.brokenLogs)
  figures.none('keys with different answers', verdict.contradicted)
  figures.none('refused for no reason', verdict.refused)
  figures.atMost('documents not at their end', verdict.unended, 0)
  figures.note('documents that ended as failed', verdict.failed)
}

/** Only after a failure: what happened, for whoever looks for the reason. Without the keys of the tenants. */
export async function keepHistory(run: ProofRun, stage: FaultStage, faults: unknown): Promise<void> {
  const calls = stage.history.calls.map(({ place: { tenantId, scopeId }, ...call }) => ({
    ...call,
    tenantId,
    scopeId,
  }))
  await keepEvidence(run, stage.fleet, { faults, calls })
}

export async function keepEvidence(run: ProofRun, { deployment }: Fleet, evidence: object): Promise<void> {
  const { figures, print, name, seed } = run
  if (figures.missed.length === 0) return
  const file = join(tmpdir(), `concord-${name}-${seed}.json`)
  await writeFile(file, JSON.stringify({ seed, ...evidence, output: deployment.output() }))
  print(`! what happened is in ${file}; repeat with --seed ${seed}`)
}
