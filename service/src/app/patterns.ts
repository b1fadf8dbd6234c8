/** The accepted form of a part of a cursor. Strict, because it goes back into a statement as a parameter. */

/** Since 1970; seventeen digits reach the year 5138, so every one of them is an instant that Postgres knows. */
export const MICROSECONDS = /^\d{1,17}$/
/** The number of something within a document; nine digits fit an integer of Postgres. */
export const ORDINAL = /^\d{1,9}$/
/** In a log; fifteen digits are exact as a number. */
export const SEQ = /^\d{1,15}$/
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const KEY_ID = /^[0-9A-Za-z]{10}$/
export const SCOPE_ID = /^[a-z0-9][a-z0-9-]{0,119}$/
/** Any text that can be stored; 200 code points are at most 400 units. */
export const DOCUMENT_ID = /^[^\0]{1,400}$/
