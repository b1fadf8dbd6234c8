/** The request that asks a model for the claims of a window, and the parser of its answer. */
import { STATED_MODALITIES } from '../domain/claim.ts'
import type { StatedModality } from '../domain/claim.ts'
import type { ModelRequest } from '../domain/model.ts'
import { lineIn, listIn, parseAnswer, toRecord, wordIn } from './answer-fields.ts'
import { extractPrompt } from './prompts/extract.ts'
import { listOf, oneOf, record, text, textOrNull } from './schemas.ts'

/** The text of a window for a model. Only a window of a longer text has context around it. */
export interface WindowContent {
  readonly title: string | null
  readonly date: string | null
  readonly headings?: readonly string[]
  readonly message?: string
  readonly columns?: string
  readonly definitions?: readonly string[]
  readonly text: string
  /** Set for a second request about the window, so that it is a different request. */
  readonly attempt?: number
}

/** One item of an answer, before its quote is found in the text. */
export interface ExtractedClaim {
  readonly quote: string
  readonly subject: string
  readonly attribute: string
  readonly value: string
  readonly period: string | null
  readonly modality: StatedModality
  readonly statement: string
}

export interface ModelExtraction {
  readonly claims: readonly ExtractedClaim[]
  /** The number of invalid items: a field is missing, of another type or too long. */
  readonly dropped: number
}

const schema = record({
  claims: listOf(
    record({ q: text, s: text, a: text, v: text, t: textOrNull, m: oneOf(STATED_MODALITIES), p: text }),
  ),
})

export function extractionRequest(content: WindowContent, words: number): ModelRequest {
  return {
    step: 'extract',
    promptVersion: extractPrompt.version,
    system: extractPrompt.text,
    user: JSON.stringify(content),
    schemaName: `concord_extract_v${extractPrompt.version}`,
    schema,
    // A claim takes some 75 tokens, and dense text has one for every seven words.
    maxOutputTokens: Math.min(32_000, 2_000 + 16 * words),
  }
}

const maxLength = { quote: 2000, name: 400, value: 400, period: 200, statement: 1200 } as const

/** An answer with more claims than this cannot be about the text it was asked about. */
function maxClaims(words: number): number {
  return 200 + 2 * words
}

/** Returns null if the answer does not match the schema. */
export function readExtraction(content: string, words: number): ModelExtraction | null {
  const answer = parseAnswer(content)
  const items = answer === null ? null : listIn(answer, 'claims')
  if (items === null || items.length > maxClaims(words)) return null
  const claims = items.map(readItem).filter((claim) => claim !== null)
  return { claims, dropped: items.length - claims.length }
}

function readItem(item: unknown): ExtractedClaim | null {
  const fields = toRecord(item)
  if (fields === null) return null
  const quote = fields.get('q')
  const [subject, attribute] = [lineIn(fields, 's', maxLength.name), lineIn(fields, 'a', maxLength.name)]
  const value = lineIn(fields, 'v', maxLength.value)
  const statement = lineIn(fields, 'p', maxLength.statement)
  const modality = wordIn(fields, 'm', STATED_MODALITIES)
  if (typeof quote !== 'string' || quote.length > maxLength.quote) return null
  if (subject === null || attribute === null || value === null) return null
  if (statement === null || modality === null) return null
  return {
    quote,
    subject,
    attribute,
    value,
    period: lineIn(fields, 't', maxLength.period),
    modality,
    statement,
  }
}
