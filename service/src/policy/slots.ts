/**
 * The engine keeps every prepared set under its name for ever. So there is a fixed number of names, and a new set takes
 * the name that was used least recently. The caller names the set that it needs, so it never gets an answer of another
 * set.
 */
import type { Cedar, CedarInstance } from './cedar.ts'
import type { CedarRequest } from './request.ts'

export interface SlotOwner {
  readonly texts: Readonly<Record<string, string>>
}

export interface Slots {
  ask(owner: SlotOwner, request: CedarRequest): Cedar.Response
}

export function createSlots(instance: CedarInstance, size: number): Slots {
  /** In the order of their last use. */
  const names = new Map<SlotOwner, string>()
  let generation = 0

  function nameOf(owner: SlotOwner, cedar: typeof Cedar): string {
    if (instance.generation() !== generation) names.clear()
    generation = instance.generation()
    const name = names.get(owner) ?? prepare(owner, cedar)
    names.delete(owner)
    names.set(owner, name)
    return name
  }

  function prepare(owner: SlotOwner, cedar: typeof Cedar): string {
    const [oldest] = names.size >= size ? names : []
    if (oldest) names.delete(oldest[0])
    const name = oldest?.[1] ?? `set${names.size}`
    const answer = cedar.preparsePolicySet(name, { staticPolicies: owner.texts })
    if (answer.type === 'failure') throw new Error('a set of policies that was checked cannot be prepared')
    return name
  }

  return {
    ask: (owner, request) =>
      instance.ask((cedar) => {
        const answer = cedar.statefulIsAuthorized({ ...request, preparsedPolicySetId: nameOf(owner, cedar) })
        if (answer.type === 'failure') throw new Error(answer.errors.map(({ message }) => message).join('; '))
        return answer.response
      }),
  }
}
