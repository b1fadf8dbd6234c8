/**
 * Reads a document: its structure, its claims with their offsets in code points, and a report on how much of it was read.
 * Pure, deterministic and linear in the length of the text.
 */
import type { Claim } from '../domain/claim.ts'
import type { ReadingReport } from '../domain/reading-report.ts'
import { readPassages } from './claims.ts'
import { inCodePoints } from './code-points.ts'
import type { Structure } from './format.ts'
import { createReport } from './report.ts'
import { readStructure } from './structure.ts'

export interface DocumentReading {
  readonly structure: Structure
  readonly claims: readonly Claim[]
  readonly report: ReadingReport
}

export function readDocument(text: string): DocumentReading {
  const structure = readStructure(text)
  const { claims, unread } = readPassages(text, structure)
  return {
    structure,
    claims: inCodePoints(text, claims),
    report: createReport(text, structure, claims.length, unread),
  }
}
