/** The delivery of the broker, as the worker sees it. */
export type DeliveryQueue = 'common' | 'express'

export interface Delivery {
  readonly note: {
    readonly tenantId: string
    readonly scopeId: string
    readonly documentId: string
    readonly ticket: string
    /** Its tenant has little under way, and it goes first here too. */
    readonly express?: boolean
  }
  /** How often it has been handed out by now; 1 where nobody counts. */
  readonly times?: number
  ack(): void
  working(): void
  retryIn(ms: number): void
}
