/** The rate at which all processes of a deployment together ask a language model. */
export interface ModelRate {
  /** Resolves when a request that may take so many tokens may be sent; rejects with the reason of the signal or a `ModelFailure`. */
  acquire(tokens: number, signal?: AbortSignal): Promise<void>
  /** Tokens that a request had room for and did not take. */
  giveBack(tokens: number): void
  /** The endpoint asks to be left alone for so long. */
  pause(forMs: number): void
  /** Requests of this process that wait. */
  waiting(): number
}
