/** The first line of every page that is written by tools/write-docs.ts. */
export const GENERATED = '<!-- Written by `node tools/write-docs.ts`; a change here is lost. -->\n'
