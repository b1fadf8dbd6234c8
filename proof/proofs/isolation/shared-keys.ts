/**
 * Both twins send the same document under the same idempotency key. Each must get a document of its own, the same one
 * again when it repeats itself, and never the other's.
 */
import type { ProofRun } from '../../harness/proof.ts'
import { ingestRequest } from './crossed-documents.ts'
import type { IsolationStage } from './stage.ts'
import { DOCUMENT_SCOPE_ID, freshCanary } from './twin-documents.ts'
import type { Twin } from './twins.ts'
import { freshDocument } from './valid-values.ts'

const KEYS = 5

export async function proveSharedKeys(
  { figures }: ProofRun,
  stage: IsolationStage,
  when: string,
): Promise<void> {
  const confused: string[] = []
  for (let nth = 0; nth < KEYS; nth += 1) confused.push(...(await tryKey(stage, `both-${freshCanary()}`)))
  figures.note(`${when}idempotency keys that both twins used`, KEYS)
  figures.none(`${when}of these, not a document of its own for each`, confused)
}

/** Each a sentence on what a twin got instead of its own. */
async function tryKey(stage: IsolationStage, key: string): Promise<string[]> {
  const { left, right } = stage.twins
  const document = { ...freshDocument(), idempotency_key: key }
  const send = async (twin: Twin, replica: number) => {
    const { status, headers, text } = await stage.send('key', replica, ingestRequest(twin, document))
    const [, id = ''] = /"document_id":"([^"]+)"/.exec(text) ?? []
    // The id is empty where nothing was accepted.
    return { id: status === 202 ? id : '', replayed: headers.has('idempotency-replayed') }
  }
  const [first, second] = [await send(left, 0), await send(right, 1)]
  const [again, alsoAgain] = [await send(left, 1), await send(right, 0)]
  const seen = async ({ key: bearer }: Twin, id: string) => {
    const path = `/api/scopes/${DOCUMENT_SCOPE_ID}/documents/${encodeURIComponent(id)}`
    return (await stage.send('key', 0, { path, bearer })).status
  }
  const wrong = {
    'the second twin was answered as if it had sent it before': second.replayed || first.replayed,
    'both got the same document': first.id === second.id || first.id === '',
    'a repetition got another document': again.id !== first.id || alsoAgain.id !== second.id,
    'a repetition was not taken for one': !again.replayed || !alsoAgain.replayed,
    'a twin does not find its own':
      (await seen(left, first.id)) !== 200 || (await seen(right, second.id)) !== 200,
    "a twin finds the other's":
      (await seen(left, second.id)) !== 404 || (await seen(right, first.id)) !== 404,
  }
  return Object.entries(wrong).flatMap(([what, is]) => (is ? [`${key}: ${what}`] : []))
}
