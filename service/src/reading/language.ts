/**
 * A cheap guess whether a text is English, from the small words at its beginning. Words that other languages share
 * (`in`, `is`, `was`) make it unsure on purpose: unknown is an honest answer.
 */
import type { Structure } from './format.ts'

const sample = 4000
/** Fewer words than this say nothing. */
const fewest = 8

const english = new Set(
  `the of and to in is was for on that by with as are were be at from this it has had not or an which been have will
   its their all any may no shall under after before between
   per none yes total date number report name status year years period prepared reference`.split(/\s+/),
)
const foreign = new Set(
  `der die das und ist nicht von mit den dem ein eine für auf im zu sich wird le la les des et est dans pour que qui une
   du au sur par el los las y en es para con por del una il di che per un sono della e o os da em não uma het een van
   de niet zijn voor op met det och är som på til og ikke av`.split(/\s+/),
)

export function guessLanguage(text: string): Structure['language'] {
  const head = text.slice(0, sample).toLowerCase()
  if (isOtherScript(head)) return 'other'
  const words = head.match(/[a-z\u00df-\u024f]+/g) ?? []
  if (words.length < fewest) return 'unknown'
  const [here, elsewhere] = [share(words, english), share(words, foreign)]
  if (here >= 0.08 && here >= elsewhere) return 'en'
  if (elsewhere >= 0.08) return 'other'
  return here >= 0.03 && here > 2 * elsewhere ? 'en' : 'unknown'
}

function share(words: readonly string[], known: ReadonlySet<string>): number {
  let count = 0
  for (const word of words) if (known.has(word)) count += 1
  return count / words.length
}

/** Whether most letters are of another script than Latin: Greek and everything behind it, signs left out. */
function isOtherScript(head: string): boolean {
  let [latin, other] = [0, 0]
  for (let at = 0; at < head.length; at += 1) {
    const code = head.charCodeAt(at)
    if (code >= 0x61 && code <= 0x24f) latin += 1
    else if (code >= 0x370 && code < 0xe000 && !(code >= 0x2000 && code < 0x2c00)) other += 1
  }
  return other >= 4 && other > latin
}
