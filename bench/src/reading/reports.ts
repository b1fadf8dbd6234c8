/**
 * Reports of some 500 words for a language model: 24 sentences that each name their subject, half of them on a subject of the report itself and
 * half on two that older reports are about.
 */
import { filler } from './documents.ts'

const trades = 'Marine Foods Optics Freight Timber Energy Paper Textiles Dairy Glass Steel Media'.split(' ')
const measures =
  'revenue,headcount,net debt,monthly rent,order backlog,insured sum,error rate,notice period,churn,floor space,energy use,travel budget'.split(
    ',',
  )

/** The same number gives the same text. */
export function reportOf(number: number): string {
  const subjects = [number, number, Math.floor(number / 2), Math.floor(number / 3)]
  const sentences = measures.flatMap((measure, nth) =>
    [0, 1].map((half) => {
      const subject = subjects[(2 * nth + half) % subjects.length] ?? number
      const value = 100 + ((number * 7 + nth * 31 + half * 13) % 900)
      return `The ${measure} of ${nameOf(subject)} was ${value} thousand in ${2015 + ((number + half) % 10)}.`
    }),
  )
  return `# Report on ${nameOf(number)}\n\n${sentences.join(' ')}\n\n${plain}`
}

/** No full stop within, so the endpoint makes one sentence of it. */
const plain = `${filler.replaceAll('.', ',').replace(/, *$/, '')}.`

const letter = (digit: string) => String.fromCodePoint(97 + Number.parseInt(digit, 26))

/** Letters only, because a number would make two names alike. */
function nameOf(subject: number): string {
  return `${trades[subject % trades.length]} Q${subject.toString(26).replaceAll(/./g, letter)}nova`
}
