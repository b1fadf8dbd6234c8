/** The bytes of request bodies that this process has in memory, in all and by tenant. It is asked before a body is read. */

export interface ByteLimits {
  /** The limit of one tenant; infinite where there is none. */
  readonly perTenant: number
  /** The limit of all tenants in this process together. */
  readonly inAll: number
}

export class ByteBudget {
  readonly #limits: ByteLimits
  readonly #byTenant = new Map<string, number>()
  #inAll = 0

  constructor(limits: ByteLimits) {
    this.#limits = limits
  }

  /** A body that is larger than a limit fits while nothing else is there, or it could never come in. */
  fits(tenantId: string, bytes: number): boolean {
    const its = this.#byTenant.get(tenantId) ?? 0
    const { perTenant, inAll } = this.#limits
    return (its === 0 || its + bytes <= perTenant) && (this.#inAll === 0 || this.#inAll + bytes <= inAll)
  }

  take(tenantId: string, bytes: number): void {
    this.#inAll += bytes
    this.#byTenant.set(tenantId, (this.#byTenant.get(tenantId) ?? 0) + bytes)
  }

  giveBack(tenantId: string, bytes: number): void {
    this.#inAll -= bytes
    const left = (this.#byTenant.get(tenantId) ?? 0) - bytes
    if (left > 0) this.#byTenant.set(tenantId, left)
    else this.#byTenant.delete(tenantId)
  }
}

/** The bytes of one body. */
export class HeldBytes {
  readonly #budget: ByteBudget
  readonly #tenantId: string
  #bytes = 0

  constructor(budget: ByteBudget, tenantId: string) {
    this.#budget = budget
    this.#tenantId = tenantId
  }

  /** False, and nothing taken, where they do not fit. */
  add(bytes: number): boolean {
    if (bytes === 0) return true
    if (!this.#budget.fits(this.#tenantId, bytes)) return false
    this.#budget.take(this.#tenantId, bytes)
    this.#bytes += bytes
    return true
  }

  release(): void {
    if (this.#bytes > 0) this.#budget.giveBack(this.#tenantId, this.#bytes)
    this.#bytes = 0
  }
}
