/**
 * The Cedar engine as WebAssembly, loaded at its first use. A call that throws, for example because a text nests too
 * deeply for its stack, leaves an instance that never answers again. So the instance is discarded, and the next call
 * gets a new one. An unchecked text is therefore never passed to the instance that decides.
 */
import { createRequire } from 'node:module'
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs'

export type { Cedar }

export interface CedarInstance {
  /** Incremented with each new instance, which has no state of the previous one. */
  generation(): number
  ask<Answer>(work: (cedar: typeof Cedar) => Answer): Answer
}

export function createCedarInstance(): CedarInstance {
  let cedar: typeof Cedar | undefined
  let generation = 0
  return {
    generation: () => generation,
    ask(work) {
      if (!cedar) generation += 1
      cedar ??= instantiate()
      try {
        return work(cedar)
      } catch (error) {
        cedar = undefined
        throw error
      }
    },
  }
}

/** The package creates its instance while it is loaded, so a new instance needs loading it again. */
function instantiate(): typeof Cedar {
  const require = createRequire(import.meta.url)
  delete require.cache[require.resolve('@cedar-policy/cedar-wasm/nodejs')]
  const loaded: typeof Cedar = require('@cedar-policy/cedar-wasm/nodejs')
  return loaded
}
