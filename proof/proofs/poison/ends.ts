/** How documents ended, as the database has it, and what is wrong with that. The judgement is pure. */
import type { Fleet } from '../../harness/fleet.ts'
import type { Letter } from './corpus.ts'

export interface End {
  readonly id: string
  readonly status: string
  readonly reason: string | null
  /** The attempt as the document tells it. */
  readonly attempt: number
  /** The attempts as the log tells them: one entry for each attempt, written before it began. */
  readonly begun: number
  /** When it ended, in milliseconds since the epoch; null before that. */
  readonly endedAt: number | null
  /** From its first claim to its end. */
  readonly tookMs: number | null
}

export async function readEnds({ ask }: Fleet): Promise<Map<string, End>> {
  // Put together here: a database that has just been filled knows too little of its tables to join them well.
  const documents = await ask<Omit<End, 'begun' | 'endedAt' | 'tookMs'>>(
    `select document_id as id, status, error_code as reason, attempt from documents`,
  )
  const versions = await ask<Pick<End, 'id' | 'endedAt' | 'tookMs'>>(
    `select document_id as id, (extract(epoch from ended_at) * 1000)::float8 as "endedAt",
            (extract(epoch from ended_at - started_at) * 1000)::float8 as "tookMs" from document_versions`,
  )
  const claims = await ask<{ id: string; begun: number }>(
    `select document_id as id, count(*)::int as begun from scope_log where kind = 'document.processing' group by 1`,
  )
  const version = new Map(versions.map(({ id, endedAt, tookMs }) => [id, { endedAt, tookMs }]))
  const begun = new Map(claims.map((claim) => [claim.id, claim.begun]))
  return new Map(
    documents.map((document) => [
      document.id,
      {
        ...document,
        begun: begun.get(document.id) ?? 0,
        ...(version.get(document.id) ?? { endedAt: null, tookMs: null }),
      },
    ]),
  )
}

export function judgeEnds(letters: readonly Letter[], ends: ReadonlyMap<string, End>, attempts: number) {
  const told = letters.map((letter) => ({ ...letter, end: ends.get(letter.id) }))
  const healthy = told.filter(({ bait }) => !bait)
  const hostile = told.filter(({ bait }) => bait)
  const failed = hostile.filter(({ end }) => end?.status === 'failed')
  return {
    /** Healthy, and not processed. */
    lost: healthy.filter(({ end }) => end?.status !== 'processed').map(describe),
    /** Healthy and processed, though not at the first attempt. */
    repeated: healthy.filter(({ end }) => end?.status === 'processed' && end.attempt !== 1).map(describe),
    /** Hostile, and not failed. */
    spared: hostile.filter(({ end }) => end?.status !== 'failed').map(describe),
    /** Hostile, failed for a reason that is not theirs. */
    misjudged: failed.filter(({ bait, end }) => !bait?.reasons.includes(end?.reason ?? '')).map(describe),
    /** Hostile, failed after more attempts than promised, or fewer. */
    miscounted: failed.filter(({ end }) => end?.attempt !== attempts || end.begun !== attempts).map(describe),
  }
}

function describe({ id, end }: { readonly id: string; readonly end: End | undefined }): string {
  if (!end) return `${id}: not there`
  return `${id}: ${end.status}, ${end.reason ?? 'no reason'}, attempt ${end.attempt}, begun ${end.begun} times`
}
