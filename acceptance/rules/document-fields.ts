/** The fields that a document is sent with: each of them at both edges of its bounds, counted in code points. */
import { countCodePoints } from '@concord/contract'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../http/exchange.ts'
import type { SubjectCall, Subject } from '../subject.ts'
import type { Detail } from '../world/documents.ts'

interface Bounds {
  readonly min: number
  readonly max: number
}

const bounds = {
  name: { min: 1, max: 500 },
  type: { min: 0, max: 50 },
  text: { min: 1, max: 100_000 },
  document_id: { min: 1, max: 200 },
  source: { min: 1, max: 500 },
  provenance: { min: 1, max: 500 },
  idempotency_key: { min: 1, max: 200 },
} as const satisfies Record<string, Bounds>

export type DocumentField = keyof typeof bounds

/** Two UTF-16 units, four bytes, one character. */
const DIAMOND = '💠'

/** A service that counts anything but code points refuses some of these. Each is kept as it is. */
function legalValues(field: DocumentField): readonly string[] {
  const { min, max } = bounds[field]
  return [
    'a'.repeat(min),
    DIAMOND.repeat(max),
    'a'.repeat(max),
    ' ',
    'Cafe\u0301 \u202e\u{10ffff}',
    `'"; <b>\\ %00 ../?#&=`,
    'a\r\n\tb',
  ]
}

function illegalValues(field: DocumentField): readonly (readonly [rule: string, value: string])[] {
  const { min, max } = bounds[field]
  return [
    ...(min > 0 ? [['too_short', ''] as const] : []),
    ['too_long', 'a'.repeat(max + 1)],
    ['too_long', DIAMOND.repeat(max + 1)],
    ['invalid_character', 'a\0'],
    ['invalid_character', '\ud83d'],
    ['invalid_character', '\udca0a'],
  ]
}

export interface SentDocuments {
  readonly fields: readonly DocumentField[]
  /** A good call with this field changed. */
  readonly sending: (field: DocumentField, value: unknown) => SubjectCall
  /** Where the fields stand in the body. */
  readonly at?: string
}

export function describeRefusedFields(subject: Subject, sent: SentDocuments): void {
  const { fields, sending, at = '#' } = sent
  const cases = fields.flatMap((field) =>
    illegalValues(field).map(([rule, value]) => ({ field, rule, value, shown: shorten(value) })),
  )
  describe(`${subject.operation.name}: 422 for a field that breaks its bounds`, () => {
    it.each(cases)('refuses $shown as $field: $rule', async ({ field, value, rule }) => {
      const reply = await subject.call(sending(field, value))
      subject.expectProblem(reply, 'validation_failed', { pointers: [`${at}/${field}`], rules: [rule] })
    })

    it.each(fields)('turns nothing else into a %s', async (field) => {
      for (const value of [1, null, true, ['a'], {}])
        subject.expectProblem(await subject.call(sending(field, value)), 'validation_failed', {
          pointers: [`${at}/${field}`],
        })
    })
  })
}

export interface KeptDocuments extends SentDocuments {
  readonly status: number
  /** The document as it can be read afterwards at the place that the answer names. */
  readonly readAt: (location: string) => Promise<Detail>
}

export function describeKeptFields(subject: Subject, kept: KeptDocuments): void {
  const { fields, sending, status } = kept
  const cases = fields.flatMap((field) =>
    legalValues(field).map((value) => ({ field, value, shown: shorten(value) })),
  )
  // Each is a document of its own, so they need not wait for each other.
  describe.concurrent(`${subject.operation.name}: ${status} for a field within its bounds`, () => {
    it.each(cases)('keeps $shown as $field', async ({ field, value }) => {
      const reply = await subject.call(sending(field, value))
      subject.expectForm(reply, status)
      expect(await keptValue(kept, field, reply)).toBe(field === 'text' ? countCodePoints(value) : value)
    })
  })
}

/** A text is not sent back, but its length is; an idempotency key belongs to the request, not to the document. */
async function keptValue(kept: KeptDocuments, field: DocumentField, reply: Reply): Promise<unknown> {
  if (field === 'idempotency_key') return (JSON.parse(reply.text) as Record<string, unknown>)[field]
  const document = await kept.readAt(reply.headers['location'] ?? '')
  return field === 'text' ? document.versions[0]?.characters : document[field]
}

function shorten(value: string): string {
  const length = countCodePoints(value)
  return JSON.stringify(length > 40 ? `${value.slice(0, 6)}… (${length})` : value)
}
