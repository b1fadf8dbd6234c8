/** Parses situations of a policy test: a point, its facts, and the expected decision. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import type { PolicyQuestion, PolicyTexts } from '../domain/policy.ts'

const Severity = z.enum(['low', 'medium', 'high', 'critical'])
const Share = z.number().min(0).max(1)
const Many = z.int().min(0)

const Document = z
  .strictObject({
    document_id: z.string().default('document'),
    type: z.string().default('txt'),
    characters: Many.default(1_000),
    version: Many.default(1),
    name: z.string().default('document.txt'),
    source: z.string().nullable().default(null),
  })
  .prefault({})

const Contradiction = z
  .strictObject({
    relation: z.enum(['conflict', 'restatement', 'change']).default('conflict'),
    kind: z.string().default('money'),
    severity: Severity.default('medium'),
    confidence: Share.nullable().default(0.9),
    reported: z.boolean().default(false),
    same_document: z.boolean().default(false),
  })
  .prefault({})

const Scope = z
  .strictObject({
    state: z.string().default('settled'),
    score: Share.default(1),
    coverage: Share.default(1),
    agreement: Share.default(1),
    resolution: Share.default(1),
    stability: Share.default(1),
    documents: Many.default(1),
    unfinished: Many.default(0),
    held: Many.default(0),
    failed: Many.default(0),
    gaps: Many.default(0),
    claims: Many.default(1),
    compared: Many.default(1),
    incomplete: Many.default(0),
    reader: z.string().default('model'),
    open: z
      .strictObject({
        low: Many.default(0),
        medium: Many.default(0),
        high: Many.default(0),
        critical: Many.default(0),
      })
      .prefault({}),
  })
  .prefault({})

const place = { tenant_id: z.string().default('tenant'), scope_id: z.string().default('scope') }

const expectation = {
  name: z.string().optional(),
  expect: z.enum(['allow', 'deny']).optional(),
  /** All policies that decide, each with its source. */
  policies: z.array(z.string()).optional(),
}

const Situation = z.discriminatedUnion('point', [
  z.strictObject({ ...place, ...expectation, point: z.literal('admit_document'), document: Document }),
  z.strictObject({
    ...place,
    ...expectation,
    point: z.literal('process_document'),
    document: Document,
    stage: z.string().default('read'),
    model: z.string().default('rules'),
    external: z.boolean().default(false),
  }),
  z.strictObject({
    ...place,
    ...expectation,
    point: z.literal('settle_contradiction'),
    contradiction: Contradiction,
  }),
  z.strictObject({ ...place, ...expectation, point: z.literal('settle_scope'), scope: Scope }),
])

/** Policy texts are in the table, or in files next to it. */
const Table = z.strictObject({
  policy: z.string().optional(),
  policy_file: z.string().optional(),
  scope_policy: z.string().optional(),
  scope_policy_file: z.string().optional(),
  situations: z.array(Situation).min(1),
})

export interface Situation {
  readonly name: string
  readonly question: PolicyQuestion
  readonly expected: {
    readonly allowed: boolean | undefined
    readonly policies: readonly string[] | undefined
  }
}

export interface SituationTable {
  readonly texts: PolicyTexts
  readonly situations: readonly Situation[]
}

export async function readSituationTable(file: string): Promise<SituationTable> {
  const table = parse(Table, file, await readFile(file, 'utf8'))
  const textOf = async (text: string | undefined, beside: string | undefined) =>
    beside === undefined ? (text ?? '') : readFile(resolve(dirname(file), beside), 'utf8')
  return {
    texts: {
      tenant: await textOf(table.policy, table.policy_file),
      scope: await textOf(table.scope_policy, table.scope_policy_file),
    },
    situations: table.situations.map(toSituation),
  }
}

/** Returns one situation to explain. */
export async function readSituation(file: string): Promise<Situation> {
  return toSituation(parse(Situation, file, await readFile(file, 'utf8')), 0)
}

function parse<Schema extends z.ZodType>(schema: Schema, file: string, text: string): z.output<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${file} is not valid JSON`)
  }
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw new Error(`${file} is not written as it should be:\n${z.prettifyError(error)}`)
  return data
}

function toSituation(situation: z.output<typeof Situation>, index: number): Situation {
  const { expect, policies } = situation
  return {
    name: situation.name ?? `${index + 1}`,
    question: toQuestion(situation),
    expected: { allowed: expect && expect === 'allow', policies },
  }
}

function toQuestion(situation: z.output<typeof Situation>): PolicyQuestion {
  const about = { tenantId: situation.tenant_id, scopeId: situation.scope_id }
  switch (situation.point) {
    case 'admit_document':
    case 'process_document': {
      const { document_id: documentId, ...document } = situation.document
      if (situation.point === 'admit_document')
        return { ...about, point: situation.point, documentId, document }
      const { point, stage, model, external } = situation
      return { ...about, point, documentId, document, stage, model, external }
    }
    case 'settle_contradiction': {
      const { same_document: sameDocument, ...contradiction } = situation.contradiction
      const { point } = situation
      return {
        ...about,
        point,
        contradictionId: 'contradiction',
        contradiction: { ...contradiction, sameDocument },
      }
    }
    case 'settle_scope':
      return { ...about, point: situation.point, scope: situation.scope }
  }
}
