/**
 * A Merkle tree as in RFC 6962. Leaves and nodes are hashed with different first bytes, so that neither can pass for the
 * other. The tree is built leaf by leaf and keeps one hash per level, for any number of leaves.
 */

/** SHA-256 of the concatenated parts. The caller provides it, because the domain imports no cryptography. */
export type Hash = (...parts: readonly Uint8Array[]) => Uint8Array

export interface MerkleTree {
  add(leafHash: Uint8Array): void
  /** Returns the root of the leaves that were added so far. */
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
  /** The complete subtrees, each lower than the one before. */
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
