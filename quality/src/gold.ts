/** The labelled cases as they are stored, and as places in the text. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportRelation, ScopeText } from './report.ts'
import { readSide } from './sides.ts'
import type { GoldSide } from './sides.ts'

export interface QuotedPlace {
  readonly document: string
  readonly quote: string
}

interface StoredFinding {
  readonly id: string
  readonly relation: ReportRelation
  readonly kind: string
  readonly subject: string
  readonly attribute: string
  readonly period: string | null
  readonly a: QuotedPlace
  readonly b: QuotedPlace
  readonly a_also?: readonly QuotedPlace[]
  readonly b_also?: readonly QuotedPlace[]
  readonly severity: string
  readonly difficulty: string
  readonly why: string
}

interface StoredTrap {
  readonly id: string
  readonly trap: string
  readonly a: QuotedPlace
  readonly b: QuotedPlace
  readonly why: string
}

interface StoredCase {
  readonly case: string
  readonly domain: string
  readonly documents: readonly { readonly id: string; readonly file: string; readonly title: string }[]
  readonly findings: readonly StoredFinding[]
  readonly traps: readonly StoredTrap[]
}

export interface GoldPair {
  readonly id: string
  readonly a: GoldSide
  readonly b: GoldSide
}

export interface GoldFinding extends GoldPair {
  readonly relation: ReportRelation
  readonly kind: string
  readonly subject: string
  readonly attribute: string
  readonly severity: string
  readonly difficulty: string
  readonly why: string
}

export interface GoldTrap extends GoldPair {
  readonly trap: string
  readonly why: string
}

export interface GoldCase {
  readonly name: string
  readonly domain: string
  readonly scope: ScopeText
  readonly findings: readonly GoldFinding[]
  readonly traps: readonly GoldTrap[]
}

/** All cases of a folder, in the order of their names. */
export function readCases(folder: string): GoldCase[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
    .map((name) => readCase(folder, name))
}

function readCase(folder: string, name: string): GoldCase {
  const stored = JSON.parse(readFileSync(join(folder, name, 'gold.json'), 'utf8')) as StoredCase
  const documents = stored.documents.map(({ id, file }) => ({
    id,
    name: file,
    text: readFileSync(join(folder, name, file), 'utf8'),
  }))
  const texts = new Map(documents.map(({ id, text }) => [id, text]))
  return {
    name,
    domain: stored.domain,
    scope: { name, documents },
    findings: stored.findings.map((finding) => placeFinding(finding, texts)),
    traps: stored.traps.map(({ id, trap, why, a, b }) => ({
      id,
      trap,
      why,
      ...readSides({ a: [a], b: [b] }, false, texts),
    })),
  }
}

function placeFinding(finding: StoredFinding, texts: ReadonlyMap<string, string>): GoldFinding {
  const { id, relation, kind, subject, attribute, severity, difficulty, why } = finding
  const isSum = kind === 'quantity' && difficulty === 'hard'
  const sides = { a: [finding.a, ...(finding.a_also ?? [])], b: [finding.b, ...(finding.b_also ?? [])] }
  return {
    id,
    relation,
    kind,
    subject,
    attribute,
    severity,
    difficulty,
    why,
    ...readSides(sides, isSum, texts),
  }
}

function readSides(
  sides: { readonly a: readonly QuotedPlace[]; readonly b: readonly QuotedPlace[] },
  isSum: boolean,
  texts: ReadonlyMap<string, string>,
): { readonly a: GoldSide; readonly b: GoldSide } {
  return {
    a: readSide(sides.a, sides.b, isSum, texts),
    b: readSide(sides.b, sides.a, isSum, texts),
  }
}
