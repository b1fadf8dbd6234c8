/**
 * The stored form of a document that has been read: plain JSON, nothing but offsets into the original text.
 *
 * Every character of the text that is not white space lies in exactly one piece: the title, a field of the header or of
 * a part, a heading, a passage, or a mark. Pieces keep the order of the text and never overlap.
 */

/** `text.slice(start, end)` is the piece: UTF-16 code units, never empty, no white space at either end. */
export type Span = readonly [start: number, end: number]

/** A line such as `Date: 17 May 2024`. The span holds both sides and what stands between them. */
export interface Field {
  readonly span: Span
  readonly key: Span
  readonly value: Span
}

/** The head of a document at the very top. Fields state things like any other line does: a form may be all header. */
export interface DocumentHeader {
  /** One to four lines at the top; without the `#` of Markdown. */
  readonly title?: Span
  readonly fields: readonly Field[]
}

/** A message inside a thread: its own From, To and Date. The first message of a text is the text's header instead. */
export interface FormatPart {
  readonly fields: readonly Field[]
  /** How deep the message is quoted; 0 when it is not. */
  readonly quote: number
  /** Index of the first passage of this part; equals the number of passages when nothing follows. */
  readonly passage: number
}

export interface Heading {
  /** 1 to 6 as in Markdown; plain text uses 2 to 7, captions 8, `Label:` lines 9 and more by their indentation. */
  readonly level: number
  readonly span: Span
  /** Index of the heading this one stands under. */
  readonly parent: number | null
}

export type TableKind = 'pipe' | 'aligned' | 'tab' | 'csv-like'

export interface Table {
  readonly kind: TableKind
  /** The cells of the first header row, or null where no row is clearly one. An unnamed column is null. */
  readonly columns: readonly (Span | null)[] | null
  /** How many rows there are, header rows included. */
  readonly rows: number
  /** Index of the heading the table stands under. */
  readonly caption: number | null
  /** Index of the passage that announces the table, such as a sentence that ends in a colon. */
  readonly under: number | null
}

interface Placed {
  readonly span: Span
  /** Index of the innermost heading. */
  readonly heading: number | null
  /** Index of the part; null is the document itself. */
  readonly part: number | null
  /** Index of the passage this one hangs under: a list item, a key, a table row, or a sentence ending in a colon. */
  readonly under: number | null
  /** Depth of quotation, by `>` marks; 0 is the author's own text. */
  readonly quote: number
}

interface Prose extends Placed {
  /** A run-in label such as `**Rent review.** …` or `Correction: …`, without its punctuation. */
  readonly label?: Span
  /** The text that follows marker and label. */
  readonly body: Span
  /** In order and disjoint; together with the marker they cover the passage. None is longer than 4,000 units. */
  readonly sentences: readonly Span[]
}

export interface Paragraph extends Prose {
  /** `quote` is a paragraph behind `>` marks; other kinds inside a quotation keep their kind. */
  readonly kind: 'paragraph' | 'quote'
}

export interface ListItem extends Prose {
  readonly kind: 'list-item'
  /** The bullet or number; part of the span, not of the sentences. */
  readonly marker: Span
  /** 0 for an item of the outermost list. */
  readonly depth: number
}

export interface KeyValue extends Placed {
  readonly kind: 'key-value'
  readonly key: Span
  readonly value: Span
  /** The sentences of the value. */
  readonly sentences: readonly Span[]
}

export interface TableRow extends Placed {
  readonly kind: 'table-row'
  readonly table: number
  /** Counts from 0 within the table. */
  readonly row: number
  /** In the order of the columns; an empty cell is null. */
  readonly cells: readonly (Span | null)[]
  readonly header: boolean
}

export interface Code extends Placed {
  readonly kind: 'code'
}

export type Passage = Paragraph | ListItem | KeyValue | TableRow | Code

export interface Structure {
  readonly format: 1
  readonly header: DocumentHeader
  readonly headings: readonly Heading[]
  readonly parts: readonly FormatPart[]
  readonly tables: readonly Table[]
  readonly passages: readonly Passage[]
  /** The marks that are drawn and not said: rulers, underlines, fences, `#` and `>` signs, dividers between messages. */
  readonly marks: readonly Span[]
}
