/** The limits of one file. The extraction process limits time and memory in addition. */

/** The unpacked XML of all parts of a packed file. A document of 2,000,000 characters has about 20 MB. */
export const MAX_XML_BYTES = 64 * 1_048_576
/** Parts of a packed file. */
export const MAX_ZIP_ENTRIES = 10_000
export const MAX_PAGES = 5_000
export const MAX_SLIDES = 2_000
export const MAX_SHEETS = 1_000
export const MAX_CELLS = 1_000_000
/** Parts of an e-mail, and how deep they may be nested. */
export const MAX_MAIL_PARTS = 500
export const MAX_MAIL_DEPTH = 10
/** How deep elements of HTML and XML may be nested. The parser takes quadratic time for elements that are nested deeper and deeper. */
export const MAX_MARKUP_DEPTH = 2_000
/** The tables of a spreadsheet whose cells can be located. For later tables only the sheet is known. */
export const MAX_BLOCKS = 500
/** The runs of neighbouring columns in all tables whose cells can be located. A table that only has every other column has thousands. */
export const MAX_COLUMN_RUNS = 16_384
/** The maximum of pages, slides and attachments that are listed as unread. */
export const MAX_UNREAD = 1_000
/** The cells of one table, including empty cells. */
export const MAX_TABLE_CELLS = 2_000_000
