/** What each figure of the proof must notice. */
import type { Mutation } from '../mutation.ts'

export interface Sabotage {
  readonly mutation: Mutation
  /** What has to notice it. */
  readonly figure: 'quotes' | 'time' | 'service'
}

export const SABOTAGES: readonly Sabotage[] = []
