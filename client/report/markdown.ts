/** A report as Markdown: for a wiki, a ticket or a mail. */
import type { ContradictionSide } from '../src/index.ts'
import { headingOf } from './heading.ts'
import type { ReportQuestion } from './questions.ts'
import { arrangeQuestions } from './questions.ts'
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

/** Words of documents must not become markup, nor an entity of HTML. */
function plain(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_{}[\]<>#|~]|&(?=[#a-z])/gi, (character) => `\\${character}`)
}

export function toMarkdown(data: ReportData): string {
  const { documents } = data
  const { open, decided } = arrangeQuestions(data.contradictions)
  const questions = open.flatMap((each) => each.questions)
  const pairs = questions.reduce((sum, { contradictions }) => sum + contradictions.length, 0)
  return [
    `# ${plain(titleOf(data))}`,
    '',
    `Scope \`${data.summary.scope_id}\`, ${generatedText(data)}`,
    '',
    ...keyFigures(data).map(([label, value]) => `- ${label}: ${plain(value)}`),
    '',
    ...leftOutOf(data).flatMap((sentence) => [sentence, '']),
    `## Open contradictions (${pairs})`,
    '',
    ...(questions.length === 0
      ? ['None is open.', '']
      : questions.flatMap((each) => writeQuestion(each, data))),
    ...(decided.length === 0
      ? []
      : [`## Decided (${decided.length})`, '', ...decided.flatMap((each) => writeQuestion(each, data))]),
    `## Documents (${documents.length})`,
    '',
    ...(documents.length === 0 ? ['There is none.'] : [documentsInWords(documents), '', ...table(data)]),
    '',
    LIMITS,
    '',
  ].join('\n')
}

function table({ documents }: ReportData): string[] {
  return [
    '| name | id | status | read | claims |',
    '|---|---|---|---|---|',
    ...orderDocuments(documents).map(
      (each) =>
        `| ${plain(each.name)} | ${plain(each.document_id)} | ${each.status} | ${plain(readingOf(each))} | ${each.reading?.claims ?? ''} |`,
    ),
  ]
}

function writeQuestion(question: ReportQuestion, data: ReportData): string[] {
  const { contradictions, answers } = question
  const history = contradictions.flatMap((each) => historyOf(each, data))
  const notes = contradictions.flatMap(({ note }) => (note === null ? [] : [`Note: ${note}`]))
  return [
    `### ${plain(headingOf(contradictions[0]))}`,
    '',
    plain(questionFacts(question).join(', ')),
    '',
    ...answers.flat().flatMap(writeSide),
    ...[...explanationsOf(question), ...notes].flatMap((each) => [plain(each), '']),
    ...history.map((each) => `- ${plain(each)}`),
    ...(history.length === 0 ? [] : ['']),
    `\`${idsOf(question)}\``,
    '',
  ]
}

function writeSide(side: ContradictionSide): string[] {
  return [`**${plain(side.source)}** (${plain(placeOf(side))})`, '', `> ${plain(side.quote)}`, '']
}
