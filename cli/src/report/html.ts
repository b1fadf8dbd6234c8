/** A report as one HTML file that loads nothing: for a browser, a phone and paper, in light and dark. */
import type { Contradiction, ContradictionSide, Document } from '@concord/client'
import { oneLine } from '../words.ts'
import type { CaseData } from './case-data.ts'
import { titleOf } from './case-data.ts'
import { drawConvergence } from './convergence-plot.ts'
import { STYLE } from './style.ts'
import {
  decisionInWords,
  factsOf,
  hasGap,
  headingOf,
  keyFigures,
  LIMITS,
  placeOf,
  readingOf,
} from './wording.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return oneLine(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

export function toHtml(data: CaseData): string {
  const title = escape(titleOf(data))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}: contradictions</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="dim">Scope ${escape(data.summary.scope_id)}, ${data.generatedAt.slice(0, 16).replace('T', ' ')} UTC</p>
<dl>${keyFigures(data)
    .map(([label, value]) => `<div><dt>${label}</dt><dd>${escape(value)}</dd></div>`)
    .join('')}</dl>
${drawConvergence(data.convergence)}
</header>
<main>
${drawContradictions(data)}
${drawDocuments(data.documents)}
</main>
<footer><p class="dim">${LIMITS}</p></footer>
</body>
</html>
`
}

function drawContradictions(data: CaseData): string {
  const { contradictions } = data
  const open = contradictions.filter(({ status }) => status === 'open')
  const decided = contradictions.filter(({ status }) => status !== 'open')
  return [
    `<h2>Open contradictions (${open.length})</h2>`,
    open.length === 0 ? '<p>None is open.</p>' : open.map((each) => drawOne(each, data)).join('\n'),
    ...(decided.length === 0
      ? []
      : [`<h2>Decided (${decided.length})</h2>`, ...decided.map((each) => drawOne(each, data))]),
  ].join('\n')
}

function drawOne(found: Contradiction, { decisions }: CaseData): string {
  const own = decisions.filter(({ contradiction_id: id }) => id === found.contradiction_id)
  const history = own.map((decision) => `<li>${escape(decisionInWords(decision, found))}</li>`).join('')
  const facts = factsOf(found).map((fact, at) =>
    at === 0 ? `<strong class="${fact}">${fact}</strong>` : escape(fact),
  )
  return `<article class="${found.severity}">
<h3>${escape(headingOf(found))}</h3>
<p class="dim">${facts.join(' · ')}</p>
<div class="sides">${drawSide(found.a)}${drawSide(found.b)}</div>
<p>${escape(found.explanation)}</p>
${found.note === null ? '' : `<p>Note: ${escape(found.note)}</p>`}
${history === '' ? '' : `<ul>${history}</ul>`}
</article>`
}

function drawSide(side: ContradictionSide): string {
  return `<section><h4>${escape(side.source)}</h4><blockquote>${markValue(side)}</blockquote><p class="dim">${escape(placeOf(side))}</p></section>`
}

/** The value is found before escaping, because an entity may stand inside it. */
function markValue({ quote, value }: ContradictionSide): string {
  const line = oneLine(quote)
  const wanted = oneLine(value?.text ?? '')
  const at = wanted === '' ? -1 : line.indexOf(wanted)
  if (at === -1) return escape(line)
  const [before, after] = [line.slice(0, at), line.slice(at + wanted.length)]
  return `${spaced(before)}<mark>${escape(wanted)}</mark>${spaced(after)}`
}

/** Escaping trims, and the spaces around a value must stay. */
function spaced(text: string): string {
  return `${text.startsWith(' ') ? ' ' : ''}${escape(text)}${text.length > 1 && text.endsWith(' ') ? ' ' : ''}`
}

function drawDocuments(documents: readonly Document[]): string {
  const gaps = documents.filter(hasGap)
  const told =
    gaps.length === 0
      ? 'All of them were read whole.'
      : `${gaps.length} of ${documents.length} were not read whole; they come first.`
  const ordered = [...gaps, ...documents.filter((each) => !hasGap(each))]
  return `<h2>Documents (${documents.length})</h2>
<p>${told}</p>
<div class="wide"><table><thead><tr><th>Name</th><th>Id</th><th>Status</th><th>Read</th><th>Claims</th></tr></thead><tbody>
${ordered.map(drawDocument).join('\n')}
</tbody></table></div>`
}

function drawDocument(document: Document): string {
  const { name, document_id: id, status, reading } = document
  const cells = [escape(name), escape(id), status, escape(readingOf(document)), String(reading?.claims ?? '')]
  const row = cells.map((cell) => `<td>${cell}</td>`).join('')
  return `<tr${hasGap(document) ? ' class="gap"' : ''}>${row}</tr>`
}
