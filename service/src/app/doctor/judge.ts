/**
 * Checks the optional judge with a sample question, which costs a few hundred tokens: only an answer shows that it
 * works.
 */
import { failed, warning, ok } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import type { JudgeResponse, JudgeFailure, Question } from '../../domain/judge.ts'

const side = { subject: 'the lamp', attribute: 'colour', period: null, meant_as: 'actual', said_on: null }

export const SAMPLE_QUESTION: Question = {
  a: { ...side, text: 'The lamp in the hall is green.', value: 'green' },
  b: { ...side, text: 'The lamp in the hall is red.', value: 'red' },
}

const ADVICE: Readonly<Record<JudgeFailure, string>> = {
  timeout: 'see that it answers within JUDGE_TIMEOUT_MS, or raise that',
  unreachable: 'see that JUDGE_URL leads to it from here',
  busy: 'it has too much to do, or its quota is spent; lower JUDGE_CONCURRENCY',
  forbidden: 'see JUDGE_API_KEY, JUDGE_MODEL and the path in JUDGE_URL',
  server_error: 'see its own log',
}

export async function checkJudge(ask: (() => Promise<JudgeResponse>) | undefined): Promise<Check> {
  if (!ask) return ok('judge', 'off: rules decide alone')
  const asked = await ask()
  if (asked.kind === 'answered') return ok('judge', `answers, for ${asked.tokens} tokens a question`)
  if (asked.kind === 'failed') return failed('judge', `no answer: ${asked.why}`, ADVICE[asked.why])
  const advice = 'use another model, or JUDGE_FORMAT=json_object where the endpoint knows no json_schema'
  return warning('judge', `its answer cannot be used: ${asked.why}`, advice)
}
