/** From blocks to the stored structure: gives every block its heading, its part, and what it hangs under. */
import { emptyDraft, markLine } from './assembly/draft.ts'
import type { Draft } from './assembly/draft.ts'
import { placeForm, placeItem, placeParagraph } from './assembly/prose.ts'
import { placeCode, placeTable } from './assembly/rows.ts'
import { placeHeading, placeMessage, placeTitle, staysInHeader, takeField } from './assembly/top.ts'
import type { Block } from './blocks.ts'
import type { DocumentHeader, Span, Structure } from './format.ts'
import type { Sheet } from './lines.ts'

export function assemble(sheet: Sheet, blocks: readonly Block[], marks: readonly Span[]): Structure {
  const draft = emptyDraft(sheet, marks)
  for (const block of blocks) {
    if (draft.inHeader && !staysInHeader(draft, block)) draft.inHeader = false
    place(draft, block)
    if (draft.inHeader && block.kind === 'paragraph') draft.bylines += 1
  }
  const { headings, parts, tables, passages } = draft
  const ordered = draft.marks.toSorted((a, b) => a[0] - b[0])
  return { format: 1, header: headerOf(draft), headings, parts, tables, passages, marks: ordered }
}

function headerOf({ title, fields }: Draft): DocumentHeader {
  return title === null ? { fields } : { title, fields }
}

function place(draft: Draft, block: Block): void {
  switch (block.kind) {
    case 'title':
      return placeTitle(draft, block)
    case 'heading':
      return placeHeading(draft, block)
    case 'message':
      return placeMessage(draft, block)
    case 'table':
      return placeTable(draft, block)
    case 'code':
      return placeCode(draft, block)
    case 'mark':
      return markLine(draft, block.first)
    case 'item':
      return placeItem(draft, block)
    case 'form':
      return takeField(draft, block) ? undefined : placeForm(draft, block)
    case 'paragraph':
      return placeParagraph(draft, block)
  }
}
