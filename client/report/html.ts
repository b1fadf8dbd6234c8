/** A report as one HTML file that loads nothing: for a browser, a phone and paper, in light and dark. */
import type { Document } from '../src/index.ts'
import { drawConvergence } from './convergence-plot.ts'
import { headingOf } from './heading.ts'
import { markQuote } from './marked-quote.ts'
import type { AnswerSides, ReportQuestion, ReportQuestions } from './questions.ts'
import { arrangeQuestions } from './questions.ts'
import { titleOf } from './report-data.ts'
import type { ReportData } from './report-data.ts'
import { STYLE } from './style.ts'
import {
  documentsInWords,
  explanationsOf,
  generatedText,
  hasGap,
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text that is one line already, whose outer spaces count. */
function escapeLine(line: string): string {
  return line.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

function escape(text: string): string {
  return escapeLine(oneLine(text))
}

/** The file is opened from anywhere, so it says by itself what the service says in a header. */
export const REPORT_CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

export function toHtml(data: ReportData): string {
  const title = escape(titleOf(data))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${REPORT_CSP}">
<title>${title}: contradictions</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1 dir="auto">${title}</h1>
<p class="dim">Scope ${escape(data.summary.scope_id)}, ${generatedText(data)}</p>
<dl>${keyFigures(data)
    .map(([label, value]) => `<div><dt>${label}</dt><dd>${escape(value)}</dd></div>`)
    .join('')}</dl>
${leftOutOf(data).map(paragraph).join('')}
${drawConvergence(data.convergence)}
</header>
<main>
${drawQuestions(arrangeQuestions(data.contradictions), data)}
${drawDocuments(data.documents)}
</main>
<footer><p class="dim">${LIMITS}</p></footer>
</body>
</html>
`
}

function paragraph(text: string): string {
  return `<p dir="auto">${escape(text)}</p>`
}

function drawQuestions({ open, decided }: ReportQuestions, data: ReportData): string {
  const total = open.reduce((sum, { questions }) => sum + countPairs(questions), 0)
  const links = open.map(
    ({ severity, questions }) =>
      `<a class="${severity}" href="#${severity}">${severity} (${countPairs(questions)})</a>`,
  )
  return [
    `<h2>Open contradictions (${total})</h2>`,
    open.length === 0 ? '<p>None is open.</p>' : `<nav>${links.join(' ')}</nav>`,
    ...open.flatMap(({ severity, questions }) => [
      `<h3 class="${severity}" id="${severity}">${severity} (${countPairs(questions)})</h3>`,
      ...questions.map((each) => drawQuestion(each, data)),
    ]),
    ...(decided.length === 0
      ? []
      : [`<h2>Decided (${decided.length})</h2>`, ...decided.map((each) => drawQuestion(each, data))]),
  ].join('\n')
}

function countPairs(questions: readonly ReportQuestion[]): number {
  return questions.reduce((sum, { contradictions }) => sum + contradictions.length, 0)
}

function drawQuestion(question: ReportQuestion, data: ReportData): string {
  const [first] = question.contradictions
  const facts = questionFacts(question).map((fact, at) =>
    at === 0 ? `<strong class="${fact}">${fact}</strong>` : escape(fact),
  )
  const notes = question.contradictions.flatMap(({ note }) => (note === null ? [] : [`Note: ${note}`]))
  const history = question.contradictions.flatMap((each) => historyOf(each, data))
  const decisions = history.map((each) => `<li dir="auto">${escape(each)}</li>`).join('')
  return `<article class="${first.severity}">
<h4 dir="auto">${escape(headingOf(first))}</h4>
<p class="dim">${facts.join(' · ')}</p>
<div class="sides">${question.answers.map(drawAnswer).join('')}</div>
${[...explanationsOf(question), ...notes].map(paragraph).join('')}
${decisions === '' ? '' : `<ul>${decisions}</ul>`}
<p class="dim id">${escape(idsOf(question))}</p>
</article>`
}

function drawAnswer(answer: AnswerSides): string {
  const places = answer.map((side) => {
    const [before = '', value = '', after = ''] = markQuote(side).map(escapeLine)
    const quote = value === '' ? before : `${before}${drawValue(value)}${after}`
    return `<h5 dir="auto">${escape(side.source)}</h5><blockquote dir="auto">${quote}</blockquote><p class="dim">${escape(placeOf(side))}</p>`
  })
  return `<section>${places.join('')}</section>`
}

/** In one line where it is as short as a figure or a date. */
function drawValue(value: string): string {
  return `<mark${value.length <= MAX_SHORT ? ' class="short"' : ''}>${value}</mark>`
}

const MAX_SHORT = 24

function drawDocuments(documents: readonly Document[]): string {
  return `<h2>Documents (${documents.length})</h2>
<p>${documents.length === 0 ? 'There is none.' : documentsInWords(documents)}</p>
<div class="wide"><table><thead><tr><th>Name</th><th>Id</th><th>Status</th><th>Read</th><th>Claims</th></tr></thead><tbody>
${orderDocuments(documents).map(drawDocument).join('\n')}
</tbody></table></div>`
}

function drawDocument(document: Document): string {
  const { name, document_id: id, status, reading } = document
  const cells = [escape(name), escape(id), status, escape(readingOf(document)), String(reading?.claims ?? '')]
  const row = cells.map((cell) => `<td dir="auto">${cell}</td>`).join('')
  return `<tr${hasGap(document) ? ' class="gap"' : ''}>${row}</tr>`
}
