/** One call that must succeed, for those that set the stage. */
import { operations } from '@concord/contract'
import type { AnswerOf, ServedName } from '@concord/contract'
import { exchange } from '../http/exchange.ts'
import { requestOf } from '../subject.ts'
import type { SubjectCall } from '../subject.ts'
import { theTarget } from '../target.ts'

export type Made<Name extends ServedName> = AnswerOf<(typeof operations)[Name]>['body']

/** Anything but a success here is a broken stage, not a finding of the spec that stands on it. */
export async function make<Name extends ServedName>(name: Name, call: SubjectCall): Promise<Made<Name>> {
  const { path, method } = operations[name]
  const reply = await exchange(call.url ?? theTarget().urls[0] ?? '', requestOf(operations[name], call))
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`)
  return JSON.parse(reply.text) as Made<Name>
}
