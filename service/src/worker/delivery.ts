/** A message of the work queue as the worker handles it. */
export type DeliveryQueue = 'standard' | 'priority'

export interface Delivery {
  readonly message: {
    readonly tenantId: string
    readonly scopeId: string
    readonly documentId: string
    readonly ticket: string
    /** Its tenant has few documents in flight, so the worker reads it first. */
    readonly priority?: boolean
  }
  /** The number of deliveries of this message so far; 1 if unknown. */
  readonly times?: number
  ack(): void
  working(): void
  retryIn(ms: number): void
}
