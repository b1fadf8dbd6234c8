/** How long an idempotency key is known at most: 30 days, as the contract says. */
export const KEYS_KNOWN_SECONDS = 30 * 86_400
