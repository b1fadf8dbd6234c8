/**
 * The worst obedient model, behind HTTP: it does whatever a hostile document in its request asks for, also where the order is hidden by
 * characters that nobody sees. Without an order in the request it answers honestly. It keeps what it was sent.
 */
import { withChatServer } from '../../harness/chat-server.ts'
import type { ReceivedChatMessage, ChatReply } from '../../harness/chat-server.ts'
import { replyTo } from '../../harness/model-endpoint.ts'
import type { ModelPrompt } from '../../harness/model-endpoint.ts'
import type { Attack } from './attacks.ts'
import { obey } from './demands.ts'
import type { Obedience } from './demands.ts'
import { MARK } from './documents.ts'

export interface ObedientModel {
  readonly env: Readonly<Record<string, string>>
  /** How often each order was obeyed. */
  readonly obeyed: ReadonlyMap<string, number>
  /** Requests that hold words of more than one scope. */
  readonly mixed: readonly string[]
  /** Requests in another form than a task of ours and one JSON object with the fields that it names. */
  readonly misshapen: readonly string[]
  /** Texts that told the model its task. */
  readonly tasks: ReadonlySet<string>
  requests(): number
}

export async function withObedientModel<Result>(
  attacks: readonly Attack[],
  work: (model: ObedientModel) => Promise<Result>,
): Promise<Result> {
  const orders = attacks.map((attack) => ({ ...attack, seen: readAloud(attack.order) }))
  const obeyed = new Map<string, number>()
  const mixed: string[] = []
  const misshapen: string[] = []
  const tasks = new Set<string>()
  let requests = 0

  function inspect(question: ModelPrompt, messages: readonly ReceivedChatMessage[]): void {
    requests += 1
    const roles = messages.map(({ role }) => role).join(' ')
    if (roles !== 'system user' || !isKnownForm(question))
      misshapen.push(JSON.stringify(messages).slice(0, 300))
    for (const { role, content } of messages) if (role === 'system') tasks.add(content)
    const marks = new Set(JSON.stringify(question).match(MARK))
    if (marks.size > 1) mixed.push([...marks].join(' and '))
  }

  function answer(question: ModelPrompt): Obedience {
    const heard = readAloud(stringsIn(question).join('\n'))
    const found = orders.find(({ seen }) => heard.includes(seen))
    if (!found) return { answer: replyTo(question) }
    obeyed.set(found.order, (obeyed.get(found.order) ?? 0) + 1)
    return obey(found.demand, question, found.order)
  }

  return withChatServer(
    'obedient',
    (question, messages) => {
      inspect(question, messages)
      return toReply(answer(question))
    },
    (env) => work({ env, obeyed, mixed, misshapen, tasks, requests: () => requests }),
  )
}

/** Reads as a reader that sees through every disguise: hidden letters shown, all forms of a letter the same, white space gone. */
function readAloud(text: string): string {
  return text
    .replaceAll(/[\u{e0020}-\u{e007e}]/gu, (tag) =>
      String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe_00_00),
    )
    .replaceAll(/\p{Cf}/gu, '')
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cc}]+/gu, '')
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

const FORMS: readonly (readonly string[])[] = [
  ['title', 'date', 'headings', 'message', 'columns', 'definitions', 'text', 'attempt'],
  ['new', 'earlier', 'attempt'],
  ['title', 'date', 'claims', 'attempt'],
  ['a', 'b', 'attempt'],
]

function isKnownForm(question: ModelPrompt): boolean {
  return FORMS.some((form) => Object.keys(question).every((field) => form.includes(field)))
}

function toReply(obedience: Obedience): ChatReply {
  if ('answer' in obedience) return { content: JSON.stringify(obedience.answer) }
  if ('refusal' in obedience) return { content: '', refusal: obedience.refusal }
  return { content: 'content' in obedience ? obedience.content : 'pairs '.repeat(obedience.characters / 6) }
}
