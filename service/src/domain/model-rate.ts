/** The rate limit for requests to a language model, shared by all processes of a deployment. */
export interface ModelRate {
  /**
   * Resolves when a request of up to this many tokens may be sent. Rejects with the reason of the signal or a
   * `ModelFailure`.
   */
  acquire(tokens: number, signal?: AbortSignal): Promise<void>
  /** Returns tokens that a request had reserved and did not use. */
  giveBack(tokens: number): void
  /** Pauses all requests for this long, because the endpoint asked for it. */
  pause(forMs: number): void
  /** The number of waiting requests of this process. */
  waiting(): number
}
