import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMerkleTree, leafHashOf } from '../../../src/domain/certificate/merkle.ts'
import { sha256 } from '../../../src/platform/signing.ts'

/** The definition in RFC 6962, section 2.1, word for word. */
function rootByDefinition(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves
  if (!only) return sha256()
  if (leaves.length === 1) return sha256(Uint8Array.of(0), only)
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256(
    Uint8Array.of(1),
    rootByDefinition(leaves.slice(0, split)),
    rootByDefinition(leaves.slice(split)),
  )
}

function rootOf(leaves: readonly Uint8Array[]): string {
  const tree = createMerkleTree(sha256)
  for (const leaf of leaves) tree.add(leafHashOf(sha256, leaf))
  return Buffer.from(tree.root()).toString('hex')
}

const someLeaves = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 70 })

describe('the tree of evidence', () => {
  it('has the root that RFC 6962 defines, whatever the number of leaves', () => {
    fc.assert(
      fc.property(someLeaves, (leaves) => {
        expect(rootOf(leaves)).toBe(Buffer.from(rootByDefinition(leaves)).toString('hex'))
      }),
    )
  })

  it('has the roots that the tests of other implementations have', () => {
    const bytes = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'].map((hex) =>
      Buffer.from(hex, 'hex'),
    )
    expect(rootOf([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(rootOf(bytes.slice(0, 1))).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
    expect(rootOf(bytes.slice(0, 3))).toBe('aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77')
    expect(rootOf(bytes)).toBe('ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c')
  })

  it('can be asked on the way, and does not take a node for a leaf', () => {
    const tree = createMerkleTree(sha256)
    const [a, b] = [Buffer.from('a'), Buffer.from('b')].map((leaf) => leafHashOf(sha256, leaf))
    if (!a || !b) throw new Error('there are two')
    tree.add(a)
    expect(tree.root()).toEqual(a)
    tree.add(b)
    const root = tree.root()
    expect(tree.root()).toEqual(root)
    expect(rootOf([Buffer.concat([a, b])])).not.toBe(Buffer.from(root).toString('hex'))
  })
})
