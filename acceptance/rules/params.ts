/** Names in the path are checked like everything else that comes in. */
import { randomUUID } from 'node:crypto'
import { describe, it } from 'vitest'
import type { GoodCall, Subject } from '../subject.ts'

const uuid = randomUUID()

const noUuids = [
  'x',
  '%',
  uuid.toUpperCase().replace(/^./, 'A'),
  uuid.slice(1),
  `${uuid}0`,
  `{${uuid}}`,
  uuid.replaceAll('-', ''),
  `${uuid.slice(0, -1)}\0`,
  ' '.repeat(36),
  '1 or 1=1',
  'a'.repeat(201),
  '💠'.repeat(36),
]

/** Names that are refused, each for a reason of its own. */
const impossible: Readonly<Record<string, readonly string[]>> = {
  tenantId: noUuids,
  contradictionId: noUuids,
  keyId: [
    'x',
    '123456789',
    '12345678901',
    '12345_7890',
    'ck_t_12345',
    '123456789\0',
    '123/567890',
    'a'.repeat(201),
  ],
  scopeId: [
    'A',
    '-a',
    'a_b',
    'a b',
    'a.b',
    'ä',
    'a/b',
    'a\n',
    'a\0',
    '..',
    'a'.repeat(121),
    'a'.repeat(201),
    '💠',
  ],
  // Any text is one, so only its length and what cannot be stored are left to refuse.
  documentId: ['a\0', '\0', 'a'.repeat(201), '💠'.repeat(201)],
}

export function describeParams(subject: Subject, good: GoodCall, ...names: readonly string[]): void {
  const cases = names.flatMap((name) =>
    (impossible[name] ?? []).map((value) => ({ name, value, shown: shorten(value) })),
  )
  describe(`${subject.operation.name}: 422 for a name that cannot exist`, () => {
    it.each(cases)('refuses $shown as $name', async ({ name, value }) => {
      const call = await good()
      const reply = await subject.call({ ...call, params: { ...call.params, [name]: value } })
      subject.expectProblem(reply, 'validation_failed', { pointers: [`path#/${name}`] })
    })

    it('tells of all of them at once', async () => {
      const call = await good()
      const params = { ...call.params, ...Object.fromEntries(names.map((name) => [name, 'A\0'])) }
      const pointers = names.map((name) => `path#/${name}`)
      subject.expectProblem(await subject.call({ ...call, params }), 'validation_failed', { pointers })
    })
  })
}

function shorten(value: string): string {
  return JSON.stringify(value.length > 50 ? `${value.slice(0, 20)}… (${value.length})` : value)
}
