/**
 * The head of a mail: From, To, Date, Subject. Inside a text it begins a part of a thread, whose passages were written
 * by somebody else and at another time than those before.
 */
import type { Field } from './format.ts'
import { readField } from './forms.ts'
import { keyName, keyOf } from './keys.ts'
import type { Ground } from './starts.ts'

export interface MessageFound {
  readonly last: number
  readonly fields: readonly Field[]
}

const senders = new Set(['from', 'von', 'de', 'van', 'da', 'från', 'fra'])
const others = new Set(
  (
    'to cc bcc sent date subject re reply-to attachments importance an gesendet betreff datum kopie à objet envoyé ' +
    'aan onderwerp verzonden para asunto fecha enviado oggetto inviato data assunto'
  ).split(' '),
)
/** A head is short; this also bounds how far a false start looks. */
const maxFields = 16

export function readMessage(ground: Ground, index: number): MessageFound | null {
  if (!isHeadLine(ground, index)) return null
  const fields: Field[] = []
  let last = index - 1
  while (fields.length < maxFields && isHeadLine(ground, last + 1)) {
    if (fields.length > 0 && ground.sheet.lines[last + 1]?.gap !== 0) break
    const found = readField(ground, last + 1)
    if (found === null) break
    fields.push(found.field)
    last = found.last
  }
  const names = fields.map((field) => keyName(ground.sheet.text, field.key))
  const complete = names.some((name) => senders.has(name)) && names.some((name) => others.has(name))
  return complete ? { last, fields } : null
}

function isHeadLine({ sheet }: Ground, index: number): boolean {
  const line = sheet.lines[index]
  const keyed = line === undefined ? null : keyOf(sheet.text, line)
  if (keyed === null || keyed.value === null) return false
  const name = keyName(sheet.text, keyed.key)
  return senders.has(name) || others.has(name)
}
