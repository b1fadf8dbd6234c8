/**
 * A Merkle tree as RFC 6962 has it: leaves and nodes are hashed with different first bytes, so that neither can pass for the
 * other. It is built leaf by leaf and keeps one hash for each of its levels, however many leaves there are.
 */

/** SHA-256 over all parts one after the other. The domain has no cryptography of its own. */
export type Hash = (...parts: readonly Uint8Array[]) => Uint8Array

export interface MerkleTree {
  add(leafHash: Uint8Array): void
  /** The root of the leaves so far. */
  root(): Uint8Array
}

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

export function leafHashOf(hash: Hash, leaf: Uint8Array): Uint8Array {
  return hash(LEAF, leaf)
}

interface Subtree {
  readonly height: number
  readonly root: Uint8Array
}

export function createMerkleTree(hash: Hash): MerkleTree {
  /** Full subtrees, each lower than the one before. */
  const full: Subtree[] = []
  return {
    add(leafHash) {
      let grown: Subtree = { height: 0, root: leafHash }
      for (let left = full.at(-1); left?.height === grown.height; left = full.at(-1)) {
        full.pop()
        grown = { height: grown.height + 1, root: hash(NODE, left.root, grown.root) }
      }
      full.push(grown)
    },
    root() {
      const right = full.at(-1)
      if (!right) return hash()
      return full.slice(0, -1).reduceRight((root, left) => hash(NODE, left.root, root), right.root)
    },
  }
}
