/** Functions that answer as a model would, by a rule of the test. */
import type { AskModel, ModelRequest } from '../../../src/domain/model.ts'

export interface AnswerItem {
  q: string
  s?: string
  a?: string
  v?: string
  t?: string | null
  m?: string
  p?: string
}

export function item({
  q,
  s = 'the mill',
  a = 'rent',
  v = 'EUR 900',
  t = null,
  m = 'fact',
  p = q,
}: AnswerItem) {
  return { q, s, a, v, t, m, p }
}

export interface Asking {
  readonly ask: AskModel
  readonly requests: ModelRequest[]
}

/** `answer` gets the content of the request and its number, from 0. */
export function answering(
  answer: (content: { text: string; attempt?: number }, index: number) => unknown,
): Asking {
  const requests: ModelRequest[] = []
  return {
    requests,
    ask: async (request) => {
      requests.push(request)
      const given = answer(JSON.parse(request.user), requests.length - 1)
      return {
        content: typeof given === 'string' ? given : JSON.stringify(given),
        model: 'test-model',
        usage: { inputTokens: 10, outputTokens: 5 },
      }
    },
  }
}

/** Paragraphs of some thirty words under headings. */
export function longText(paragraphs: number): string {
  const lines = ['# Report on the mills', '', 'Date: 3 May 2025', '']
  for (let at = 0; at < paragraphs; at += 1) {
    if (at % 20 === 0) lines.push(`## Chapter ${at / 20 + 1}`, '')
    lines.push(
      `Mill number ${at} ground ${at + 1000} tonnes of flour in the year 2024, and its miller said that the stones, which are old, would have to be dressed again before the next harvest comes in from the fields.`,
      '',
    )
  }
  return lines.join('\n')
}
