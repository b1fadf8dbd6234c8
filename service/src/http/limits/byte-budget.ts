/** Counts the bytes of request bodies in memory, in this process and by tenant. It is checked before a body is read. */

export interface ByteLimits {
  /** Limits one tenant. `Infinity` means no limit. */
  readonly perTenant: number
  /** Limits all tenants of this process together. */
  readonly total: number
}

export class ByteBudget {
  readonly #limits: ByteLimits
  readonly #byTenant = new Map<string, number>()
  #total = 0

  constructor(limits: ByteLimits) {
    this.#limits = limits
  }

  /** A body larger than the limit is accepted when nothing else is in flight; otherwise it could never be accepted. */
  fits(tenantId: string, bytes: number): boolean {
    const its = this.#byTenant.get(tenantId) ?? 0
    const { perTenant, total } = this.#limits
    return (its === 0 || its + bytes <= perTenant) && (this.#total === 0 || this.#total + bytes <= total)
  }

  take(tenantId: string, bytes: number): void {
    this.#total += bytes
    this.#byTenant.set(tenantId, (this.#byTenant.get(tenantId) ?? 0) + bytes)
  }

  free(tenantId: string, bytes: number): void {
    this.#total -= bytes
    const left = (this.#byTenant.get(tenantId) ?? 0) - bytes
    if (left > 0) this.#byTenant.set(tenantId, left)
    else this.#byTenant.delete(tenantId)
  }
}

/** The bytes that one body takes from the budget. */
export class BodyBytes {
  readonly #budget: ByteBudget
  readonly #tenantId: string
  #bytes = 0

  constructor(budget: ByteBudget, tenantId: string) {
    this.#budget = budget
    this.#tenantId = tenantId
  }

  /** Returns false and takes nothing if the bytes do not fit. */
  add(bytes: number): boolean {
    if (bytes === 0) return true
    if (!this.#budget.fits(this.#tenantId, bytes)) return false
    this.#budget.take(this.#tenantId, bytes)
    this.#bytes += bytes
    return true
  }

  release(): void {
    if (this.#bytes > 0) this.#budget.free(this.#tenantId, this.#bytes)
    this.#bytes = 0
  }
}
