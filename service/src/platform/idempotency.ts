/** The maximum retention of an idempotency key: 30 days, as in the contract. */
export const KEYS_KNOWN_SECONDS = 30 * 86_400
