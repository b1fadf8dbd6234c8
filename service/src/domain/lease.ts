/** A lease on a shard of the backlog expires after this time unless it is renewed. */
export const LEASE_SECONDS = 5
