/**
 * Creates routes that accept the header Idempotency-Key: the same request with the same key gets the first response again, byte for
 * byte. Errors are not stored, so a corrected request may reuse a key that was refused before.
 */
import type { AnswerOf, Operation } from '@concord/contract'
import { z } from 'zod'
import { answerOnce } from '../app/idempotency.ts'
import type { IdempotencyDeps } from '../app/idempotency.ts'
import type { StoreAnswer, StoreResult, StoredAnswer } from '../app/stored-answers.ts'
import type { TenantCaller } from '../domain/caller.ts'
import { tenantRoute } from './route.ts'
import type { RouteAnswer, RouteInput, Route } from './route.ts'

/** Makes what an app function calls at the end of its transaction; undefined where no key was sent. */
export type Keeping = <Result>(toAnswer: (result: Result) => RouteAnswer) => StoreResult<Result> | undefined

const keepingNothing: Keeping = () => undefined

export function replayableRoute<Op extends Operation, const Result extends AnswerOf<Op>>(
  deps: IdempotencyDeps,
  operation: Op,
  handle: (input: RouteInput<Op, TenantCaller>, keeping: Keeping) => Promise<Result>,
): Route {
  const route = tenantRoute(operation, (input) => handle(input, keepingNothing))
  return {
    ...route,
    async answer(input) {
      const key = input.headers['idempotency-key']
      if (key === undefined) return route.answer(input)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server hands in exactly what the schemas of the operation produced
      const valid = input as RouteInput<Op, TenantCaller>
      const { params, query, body } = input
      const parts = [operation.name, JSON.stringify([params ?? null, query ?? null, body ?? null])]
      const answered = await answerOnce(deps, valid.who, { key, parts }, (keep) =>
        handle(valid, keepingIn(operation, keep)),
      )
      return 'kept' in answered ? replay(answered.kept) : answered.fresh
    },
  }
}

function keepingIn({ answers }: Operation, keep: StoreAnswer): Keeping {
  return (toAnswer) => (transaction, scopeId, result) => {
    const { status, headers = {}, body } = toAnswer(result)
    const schema = answers[status]
    if (!(schema instanceof z.ZodType)) throw new Error(`no answer ${status} in the contract`)
    return keep(transaction, scopeId, { status, headers, text: JSON.stringify(schema.parse(body)) })
  }
}

function replay({ status, headers, text }: StoredAnswer): RouteAnswer {
  return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body: undefined, text }
}
