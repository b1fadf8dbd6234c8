import { expect, it } from 'vitest'
import { readerKindOf } from '../../src/domain/policy.ts'

it.each([
  ['rules', ['rules/1']],
  ['rules', ['rules/1', 'rules/2']],
  ['model', ['model:some-model/2', 'model:another/1']],
  ['mixed', ['rules/1', 'model:some-model/2']],
  ['mixed', ['rules/1', null]],
  ['none', [null]],
  ['none', []],
])('the reader of a scope is %s where its documents have %j', (kind, readers) => {
  expect(readerKindOf(readers)).toBe(kind)
})
