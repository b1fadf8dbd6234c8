/**
 * Checks the optional language model with a small request, which costs some hundred tokens: only an answer shows that
 * it works.
 */
import { failed, warning, ok } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import { ModelFailure } from '../../domain/model.ts'
import type { AskModel, ModelFailureReason } from '../../domain/model.ts'
import { PROBE } from '../../domain/model-probe.ts'
import { totalOf } from '../../domain/model-tokens.ts'
import { parseAnswer } from '../../model/answer-fields.ts'

const ADVICE: Readonly<Record<ModelFailureReason, string>> = {
  timeout: 'see that it answers within MODEL_TIMEOUT_MS, or raise that',
  unreachable: 'see that MODEL_URL leads to it from here',
  busy: 'it has too much to do, or its quota is spent; lower MODEL_CONCURRENCY',
  forbidden:
    'see MODEL_API_KEY, MODEL_NAME and the path in MODEL_URL; where the endpoint knows no json_schema, set MODEL_FORMAT=json_object',
  server_error: 'see its own log',
  over_budget: 'raise MODEL_TOKENS_PER_DAY or MODEL_TOKENS_PER_MONTH',
  declined: 'use another model, or MODEL_FORMAT=json_object where the endpoint knows no json_schema',
  too_long: 'use a model that answers without thinking aloud first',
}

const UNUSABLE = 'use another model, or MODEL_FORMAT=json_schema where the endpoint knows it'

export async function checkModel(ask: AskModel | undefined): Promise<Check> {
  if (!ask) return ok('model', 'off: rules read documents')
  try {
    const { content, model, usage } = await ask(PROBE)
    if (parseAnswer(content)?.has('colour'))
      return ok('model', `${model} answers, for ${totalOf(usage)} tokens a small question`)
    return warning('model', 'its answer is not of the form that was asked for', UNUSABLE)
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    const { reason } = error
    if (error.isAboutRequest) return warning('model', `its answer cannot be used: ${reason}`, ADVICE[reason])
    return failed('model', `no answer: ${reason}`, ADVICE[reason])
  }
}
