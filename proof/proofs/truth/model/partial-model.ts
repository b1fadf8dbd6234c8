/**
 * A language model behind HTTP that reads only in part: words in a text decide whether it refuses it, stops before the end, answers nonsense, or
 * quotes what nobody wrote. It takes each sentence with a figure for a claim, and finds no contradiction.
 */
import { withChatServer } from '../../../harness/chat-server.ts'
import type { ChatReply } from '../../../harness/chat-server.ts'
import type { ModelPrompt } from '../../../harness/model-endpoint.ts'

/** Words that no other text of this proof has. */
export const FAULTS = {
  refused: 'Obsidian',
  tooLong: 'Brimstone',
  nonsense: 'Gibberish',
  /** Each adds a claim with a quote that is not in the text. */
  invented: 'Mirage',
  /** The model refuses to compare it. */
  incomparable: 'Taciturn',
} as const

const INVENTED = 'Nobody ever wrote this sentence'

export interface PartialModel {
  readonly env: Readonly<Record<string, string>>
  /** How often each of the words was met. */
  readonly met: ReadonlyMap<keyof typeof FAULTS, number>
}

export async function withPartialModel<Result>(
  work: (model: PartialModel) => Promise<Result>,
): Promise<Result> {
  const met = new Map<keyof typeof FAULTS, number>()
  const meets = (text: string, fault: keyof typeof FAULTS): boolean => {
    if (!text.includes(FAULTS[fault])) return false
    met.set(fault, (met.get(fault) ?? 0) + 1)
    return true
  }

  function read(text: string): ChatReply {
    if (meets(text, 'refused')) return { content: '', refusal: 'I would rather not.' }
    if (meets(text, 'tooLong')) return { content: '{"claims":[', isCutOff: true }
    if (meets(text, 'nonsense')) return { content: 'All in all the figures look fine.' }
    meets(text, 'invented')
    return { content: JSON.stringify({ claims: [...inventClaims(text), ...findClaims(text)] }) }
  }

  function answer(question: ModelPrompt): ChatReply {
    if (question.text !== undefined) return read(question.text)
    if (question.a) return { content: JSON.stringify(AGREEMENT) }
    if (meets(JSON.stringify(question), 'incomparable')) return { content: '', refusal: 'No.' }
    return { content: JSON.stringify({ pairs: [] }) }
  }

  return withChatServer('partial', answer, (env) => work({ env, met }))
}

const AGREEMENT = {
  verdict: 'compatible',
  title: 'Both hold',
  explanation: 'Both hold.',
  period: null,
  severity: 'low',
  confidence: 1,
}

function findClaims(text: string): object[] {
  return text
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\d/.test(sentence))
    .map((sentence) => toItem(sentence, sentence))
}

function inventClaims(text: string): object[] {
  const count = text.split(FAULTS.invented).length - 1
  return Array.from({ length: count }, (_, nth) => toItem(`${INVENTED} ${nth + 1}`, `Invented ${nth + 1}`))
}

function toItem(quote: string, statement: string): object {
  return { q: quote, s: 'the company', a: 'figure', v: '1', t: null, m: 'fact', p: statement.slice(0, 1_000) }
}
