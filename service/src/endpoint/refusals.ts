/**
 * Decides who is to blame for a refusal without a reason. Until a model has answered once, or when it has refused several requests
 * in a row, the endpoint is configured wrongly and no document is at fault; otherwise it is the request.
 */

export interface RefusalJudge {
  noteAnswer(model: string): void
  isAboutRequest(model: string): boolean
}

/** A few documents in a row may really be refused; more of them are a changed model, key or gateway. */
const MAX_IN_A_ROW = 5

export function createRefusalJudge(): RefusalJudge {
  /** By the name of a model that has answered. */
  const refusalsInARow = new Map<string, number>()
  return {
    noteAnswer: (model) => void refusalsInARow.set(model, 0),
    isAboutRequest(model) {
      const before = refusalsInARow.get(model)
      if (before === undefined) return false
      refusalsInARow.set(model, before + 1)
      return before < MAX_IN_A_ROW
    },
  }
}
