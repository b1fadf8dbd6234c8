/** A report as Markdown: for a wiki, a ticket or a mail. */
import type { Contradiction, ContradictionSide } from '@concord/client'
import { oneLine } from '../words.ts'
import type { CaseData } from './case-data.ts'
import { titleOf } from './case-data.ts'
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

/** Words of documents must not become markup. */
function plain(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_{}[\]<>#|~]/g, (character) => `\\${character}`)
}

export function toMarkdown(data: CaseData): string {
  const { contradictions, documents } = data
  const open = contradictions.filter(({ status }) => status === 'open')
  const decided = contradictions.filter(({ status }) => status !== 'open')
  return [
    `# ${plain(titleOf(data))}`,
    '',
    `Scope \`${data.summary.scope_id}\`, ${data.generatedAt}`,
    '',
    ...keyFigures(data).map(([label, value]) => `- ${label}: ${plain(value)}`),
    '',
    `## Open contradictions (${open.length})`,
    '',
    ...(open.length === 0 ? ['None is open.', ''] : open.flatMap((each) => writeOne(each, data))),
    ...(decided.length === 0
      ? []
      : [`## Decided (${decided.length})`, '', ...decided.flatMap((each) => writeOne(each, data))]),
    `## Documents (${documents.length})`,
    '',
    '| name | id | status | read | claims |',
    '|---|---|---|---|---|',
    ...documents
      .toSorted((one, other) => Number(hasGap(other)) - Number(hasGap(one)))
      .map(
        (each) =>
          `| ${plain(each.name)} | ${plain(each.document_id)} | ${each.status} | ${plain(readingOf(each))} | ${each.reading?.claims ?? ''} |`,
      ),
    '',
    LIMITS,
    '',
  ].join('\n')
}

function writeOne(found: Contradiction, { decisions }: CaseData): string[] {
  const own = decisions.filter(({ contradiction_id: id }) => id === found.contradiction_id)
  return [
    `### ${plain(headingOf(found))}`,
    '',
    plain(factsOf(found).join(', ')),
    '',
    ...writeSide(found.a),
    ...writeSide(found.b),
    plain(found.explanation),
    '',
    ...(found.note === null ? [] : [`Note: ${plain(found.note)}`, '']),
    ...own.map((decision) => `- ${plain(decisionInWords(decision, found))}`),
    ...(own.length === 0 ? [] : ['']),
  ]
}

function writeSide(side: ContradictionSide): string[] {
  return [`**${plain(side.source)}** (${plain(placeOf(side))})`, '', `> ${plain(side.quote)}`, '']
}
