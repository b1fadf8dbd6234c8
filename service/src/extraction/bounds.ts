/** How much of anything one file may have. A process of its own bounds time and memory besides. */

/** XML of all parts of a packed file together, unpacked. A document of 2,000,000 characters has some 20 MB of it. */
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
/** Tables of spreadsheets whose cells are located one by one; of those behind them only the sheet is known. */
export const MAX_BLOCKS = 500
/** Pages, slides and attachments that are named as unread. */
export const MAX_UNREAD = 1_000
/** Cells of one drawn table, empty ones included. */
export const MAX_TABLE_CELLS = 2_000_000
