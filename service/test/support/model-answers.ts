/** Answers as a language model would give them: every sentence with a figure is a claim, quoted as it stands. */
import type { ReceivedRequest } from './model-endpoint.ts'
import { completion, sendJson } from './model-endpoint.ts'
import type { Behaviour } from './model-endpoint.ts'

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/** The JSON document that the model is shown. */
function shownIn({ body }: ReceivedRequest): Readonly<Record<string, unknown>> {
  const { messages } = body as unknown as ChatBody
  return JSON.parse(messages.find(({ role }) => role === 'user')?.content ?? '{}') as Record<string, unknown>
}

/** Whether claims are asked for; comparing and probing have other schemas. */
export function isExtraction(request: ReceivedRequest): boolean {
  return JSON.stringify(request.body).includes('concord_extract')
}

export function textIn(request: ReceivedRequest): string {
  const { text } = shownIn(request)
  return typeof text === 'string' ? text : ''
}

export function extractionOf(text: string): string {
  const sentences = text.match(/[^.\n]*\d[^.\n]*\./g) ?? []
  const claims = sentences.map((sentence) => ({
    q: sentence.trim(),
    s: 'Borealis',
    a: 'figure',
    v: /\d+/.exec(sentence)?.[0] ?? '',
    t: null,
    m: 'fact',
    p: sentence.trim(),
  }))
  return JSON.stringify({ claims })
}

/** Extracts; finds nothing else. */
export const extract: Behaviour = (request, response) => {
  const content = isExtraction(request) ? extractionOf(textIn(request)) : JSON.stringify({ pairs: [] })
  sendJson(response, 200, completion(content))
}
