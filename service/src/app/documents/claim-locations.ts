/** Adds to each claim its location in the file that the text was extracted from. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LocatedClaim } from '../../domain/claim.ts'
import { createLocator } from '../../domain/file-layout.ts'
import type { FileLayout } from '../../domain/file-layout.ts'
import type { ReadClaim } from './keyed-claims.ts'

/** After this many claims the event loop gets a turn. */
const CLAIMS_A_TURN = 40

/** Returns the claims unchanged if the document was sent as text, which has no layout. */
export async function locateClaims<Kind extends Pick<ReadClaim, 'json'>>(
  claims: readonly Kind[],
  text: string,
  layout: FileLayout | undefined,
): Promise<readonly Kind[]> {
  if (!layout) return claims
  const locate = createLocator(text, layout)
  const located: Kind[] = []
  for (const [index, read] of claims.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a turn for others now and then
    if (index % CLAIMS_A_TURN === CLAIMS_A_TURN - 1) await nextTurn()
    const claim: LocatedClaim = JSON.parse(read.json.toString('utf8'))
    const location = locate(offsetOf(claim))
    located.push(location ? { ...read, json: Buffer.from(JSON.stringify({ ...claim, location })) } : read)
  }
  return located
}

/** Returns the offset to locate. For a table row this is the cell with the value, because the quote is the whole row. */
function offsetOf({ span, valueSpan }: LocatedClaim): number {
  const isWithin = valueSpan[0] >= span[0] && valueSpan[0] < span[1]
  return isWithin ? valueSpan[0] : span[0]
}
