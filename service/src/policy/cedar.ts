/**
 * The engine itself: WebAssembly, loaded when it is first needed. A call that throws, as one does on text that nests too
 * deeply for its stack, leaves an instance that answers nothing ever after; so it is thrown away, and the next call has a
 * new one. Text that nobody has looked at yet is therefore never shown to the instance that decides.
 */
import { createRequire } from 'node:module'
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs'

export type { Cedar }

export interface CedarInstance {
  /** Raised whenever there is a new instance, which remembers nothing of the one before. */
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

/** The package makes its instance while it is loaded, so a further one is made by loading it again. */
function instantiate(): typeof Cedar {
  const require = createRequire(import.meta.url)
  delete require.cache[require.resolve('@cedar-policy/cedar-wasm/nodejs')]
  const loaded: typeof Cedar = require('@cedar-policy/cedar-wasm/nodejs')
  return loaded
}
