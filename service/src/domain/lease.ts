/** A lease on a shard of the backlog lasts this long unless it is renewed. */
export const LEASE_SECONDS = 5
