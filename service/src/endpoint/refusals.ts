/**
 * Decides on the cause of a refusal without a reason. If a model has never answered, or has refused several requests in
 * a row, the cause is the configuration of the endpoint. Otherwise it is the request.
 */

export interface RefusalJudge {
  noteAnswer(model: string): void
  isAboutRequest(model: string): boolean
}

/** A few documents in a row may be refused for their content. More refusals mean a changed model, key or gateway. */
const MAX_IN_A_ROW = 5

export function createRefusalJudge(): RefusalJudge {
  /** The names of the models that have answered. */
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
