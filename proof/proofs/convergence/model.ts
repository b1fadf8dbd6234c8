/**
 * A model of a scope and of how settled it is, written from the description in docs/explanation/convergence.md and not from the
 * product: fractions are compared as such, and rounded only at the end.
 */

export type Status = 'queued' | 'processing' | 'processed' | 'held' | 'failed' | 'removed'
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export type ModelSeverity = (typeof SEVERITIES)[number]
export type ModelRelation = 'conflict' | 'restatement' | 'change'

export interface Document {
  readonly id: string
  status: Status
  characters: number
  /** Characters read of the last version that was processed; less than its characters where something is missing. */
  charactersRead: number
  /** In force: those of the last version that was processed. */
  claims: number
  /** How many of them were compared with one of another document. */
  compared: number
}

export interface StatedSide {
  readonly document: string
  /** None where a person said so. */
  readonly claim: number | null
}

export interface ModelContradiction {
  readonly id: string
  readonly relation: ModelRelation
  severity: ModelSeverity
  status: 'open' | 'resolved' | 'dismissed'
  readonly sides: readonly [StatedSide, StatedSide]
}

export interface Scope {
  readonly documents: Map<string, Document>
  readonly contradictions: Map<string, ModelContradiction>
  /** Groups of claims that were not compared completely. */
  cuts: number
}

export interface ModelStanding {
  readonly coverage: number
  readonly agreement: number
  readonly resolution: number
  readonly stability: number
  readonly score: number
  readonly state: string
}

const WHOLE = 1_000_000
const WEIGHTS: Readonly<Record<ModelSeverity, number>> = { low: 1, medium: 2, high: 4, critical: 8 }

export function newScope(): Scope {
  return { documents: new Map(), contradictions: new Map(), cuts: 0 }
}

export function standingOf({ documents, contradictions, cuts }: Scope): ModelStanding {
  const all = [...documents.values()]
  const accepted = all.filter(({ status }) => status !== 'removed').length
  const processed = all.filter(({ status }) => status === 'processed')
  const settled = processed.length
  const gaps = processed.filter(({ characters, charactersRead }) => charactersRead < characters).length
  const unfinished = all.filter(({ status }) => status === 'queued' || status === 'processing').length
  const claims = all.reduce((total, each) => total + each.claims, 0)
  const counted = [...contradictions.values()].filter(({ relation }) => relation !== 'change')
  const open = counted.filter(({ status }) => status === 'open')
  const sides = open.flatMap((each) => each.sides).filter(({ claim }) => claim !== null)
  const contestedClaims = new Set(sides.map(({ document, claim }) => `${claim} of ${document}`)).size
  const contestedDocuments = new Set(sides.map(({ document }) => document)).size
  const characters = sumOf(all.filter(({ status }) => status !== 'removed').map((each) => each.characters))
  const charactersRead = sumOf(processed.map((each) => each.charactersRead))
  const coverage = accepted === 0 ? 0 : share(charactersRead, characters)
  const compared = sumOf(all.map((each) => each.compared))
  const enough = Math.ceil(claims / 10)
  const agreement = share(compared - contestedClaims, Math.max(compared, enough))
  const resolution = share(weigh(counted) - weigh(open), weigh(counted))
  const stability = share(accepted - contestedDocuments, accepted)
  const isBlocked = settled < accepted || open.length > 0 || gaps > 0 || cuts > 0
  const sum = Math.floor((coverage * (2 * agreement + 2 * resolution + stability)) / (5 * WHOLE))
  const score = Math.min(sum, isBlocked ? WHOLE - 1 : WHOLE)
  const isGrave = open.some(({ severity }) => severity === 'high' || severity === 'critical')
  const state =
    accepted === 0
      ? 'empty'
      : unfinished > 0
        ? 'working'
        : isGrave
          ? 'contested'
          : isBlocked
            ? 'converging'
            : compared < enough
              ? 'unassessed'
              : 'settled'
  return { coverage, agreement, resolution, stability, score, state }
}

function weigh(some: readonly ModelContradiction[]): number {
  return some.reduce((total, { severity }) => total + WEIGHTS[severity], 0)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function share(part: number, whole: number): number {
  return whole === 0 ? WHOLE : Math.floor((Math.max(0, Math.min(part, whole)) * WHOLE) / whole)
}
