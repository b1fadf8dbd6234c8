/** A report as DOCX: text and tables, without macros, links, fields or anything that is loaded. */
import { documentPart, FIXED_PARTS, line, paragraph, run, table } from './docx-parts.ts'
import { headingOf } from './heading.ts'
import { markQuote } from './marked-quote.ts'
import { arrangeQuestions } from './questions.ts'
import type { AnswerSides, ReportQuestion } from './questions.ts'
import { titleOf } from './report-data.ts'
import type { ReportData } from './report-data.ts'
import {
  documentsInWords,
  explanationsOf,
  generatedText,
  historyOf,
  idsOf,
  keyFigures,
  leftOutOf,
  LIMITS,
  orderDocuments,
  placeOf,
  questionFacts,
  readingOf,
} from './wording.ts'
import { oneLine } from './words.ts'
import { zip } from './zip.ts'

export async function toDocx(data: ReportData): Promise<Buffer> {
  const { open, decided } = arrangeQuestions(data.contradictions)
  const questions = open.flatMap((each) => each.questions)
  const pairs = questions.reduce((sum, { contradictions }) => sum + contradictions.length, 0)
  return zip([
    ...FIXED_PARTS,
    documentPart([
      line(titleOf(data), 'Heading1'),
      line(`Scope ${data.summary.scope_id}, ${generatedText(data)}`, 'Detail'),
      ...keyFigures(data).map(([label, value]) =>
        paragraph(run(`${label}: `, { bold: true }) + run(oneLine(value))),
      ),
      ...leftOutOf(data).map((sentence) => line(sentence)),
      line(`Open contradictions (${pairs})`, 'Heading2'),
      ...(questions.length === 0
        ? [line('None is open.')]
        : questions.flatMap((each) => writeQuestion(each, data))),
      ...(decided.length === 0 ? [] : [line(`Decided (${decided.length})`, 'Heading2')]),
      ...decided.flatMap((each) => writeQuestion(each, data)),
      ...writeDocuments(data),
      line(LIMITS, 'Detail'),
    ]),
  ])
}

function writeQuestion(question: ReportQuestion, data: ReportData): string[] {
  const { contradictions, answers } = question
  const notes = contradictions.flatMap(({ note }) => (note === null ? [] : [`Note: ${note}`]))
  const history = contradictions.flatMap((each) => historyOf(each, data))
  // More answers than two may need a page of their own, and are not kept together.
  const isPair = answers.length === 2
  const cells = answers.map((answer) => writeAnswer(answer, isPair))
  return [
    line(headingOf(contradictions[0]), 'Heading3'),
    paragraph(run(questionFacts(question).join(', ')), 'Detail', true),
    // Beside each other where there are two; below each other where there are more.
    table(isPair ? [cells] : cells.map((cell) => [cell]), { keepNext: isPair }),
    ...[...explanationsOf(question), ...notes, ...history].map((each) => line(each, undefined, true)),
    line(idsOf(question), 'Detail'),
  ]
}

function writeAnswer(answer: AnswerSides, keepNext: boolean): string {
  return answer
    .map((side) => {
      const [before, value, after] = markQuote(side)
      return [
        paragraph(run(oneLine(side.source), { bold: true }), undefined, keepNext),
        paragraph(run(before) + run(value, { bold: true, marked: true }) + run(after), undefined, keepNext),
        line(placeOf(side), 'Detail', keepNext),
      ].join('')
    })
    .join('')
}

/** Names and ids are long, the other columns of documents a word or two. */
const COLUMN_SHARES = [0.26, 0.32, 0.15, 0.15, 0.12]

function writeDocuments({ documents }: ReportData): string[] {
  const heading = line(`Documents (${documents.length})`, 'Heading2')
  if (documents.length === 0) return [heading, line('There is none.')]
  const titles = ['Name', 'Id', 'Status', 'Read', 'Claims'].map((title) =>
    paragraph(run(title, { bold: true })),
  )
  const rows = orderDocuments(documents).map((each) => [
    line(each.name),
    line(each.document_id),
    line(each.status),
    line(readingOf(each)),
    line(String(each.reading?.claims ?? '')),
  ])
  return [
    heading,
    line(documentsInWords(documents)),
    table([titles, ...rows], { shares: COLUMN_SHARES, hasHeading: true }),
  ]
}
