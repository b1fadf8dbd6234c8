/** A mark that occurs nowhere else. */
import { randomBytes } from 'node:crypto'

/** Fits into a scope id, a document id, a name and a search. */
export function freshCanary(): string {
  return `canary${randomBytes(8).toString('hex')}`
}
