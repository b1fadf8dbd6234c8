/**
 * The order in which the items of lock keys (scopes) go into batches. Owners (tenants) take turns, and so do the lock keys of one owner,
 * so that no owner waits until another one with many items has been served completely.
 */

export interface OwnedGroup {
  readonly owner: string
}

export class LockGroupTurns<Group extends OwnedGroup> {
  /** The owner and the group whose turn is next come first. */
  readonly #byOwner = new Map<string, Set<Group>>()

  add(group: Group): void {
    const groups = this.#byOwner.get(group.owner)
    if (groups) groups.add(group)
    else this.#byOwner.set(group.owner, new Set([group]))
  }

  remove(group: Group): void {
    const groups = this.#byOwner.get(group.owner)
    groups?.delete(group)
    if (groups?.size === 0) this.#byOwner.delete(group.owner)
  }

  some(isWanted: (group: Group) => boolean): boolean {
    for (const groups of this.#byOwner.values()) for (const group of groups) if (isWanted(group)) return true
    return false
  }

  /**
   * Visits groups until `maxItems` are taken. `take` takes up to so many items of a group and returns how many it took; an owner
   * gives its turn away after its share of `maxItems`. Ends early after `maxItems` groups of which nothing was taken.
   */
  visit(
    maxItems: number,
    isWanted: (group: Group) => boolean,
    take: (group: Group, limit: number) => number,
  ): void {
    const share = Math.ceil(maxItems / Math.max(1, this.#byOwner.size))
    let left = maxItems
    let missed = 0
    // An owner that has had a turn moves to the end, where this loop meets it again.
    for (const [owner, groups] of this.#byOwner) {
      const limit = Math.min(share, left)
      let taken = 0
      for (const group of groups) {
        if (!isWanted(group)) continue
        const count = take(group, limit - taken)
        taken += count
        if (count === 0) missed += 1
        else if (groups.delete(group)) groups.add(group)
        if (taken === limit || missed >= maxItems) break
      }
      left -= taken
      if (taken > 0 && this.#byOwner.delete(owner)) this.#byOwner.set(owner, groups)
      if (left === 0 || missed >= maxItems) return
    }
  }
}
