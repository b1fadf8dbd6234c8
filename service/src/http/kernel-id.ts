/** The id of an event on the operator's stream: its place in the log of all scopes, opaque to the reader. */
import type { KernelPosition } from '../app/events/kernel-feed.ts'
import { Fault } from '../domain/fault.ts'

const FORM =
  /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,15})\.((?:[a-z0-9][a-z0-9-]{0,119})?)$/

export function encodeKernelId({ kernelSeq, tenantId, scopeId, seq }: KernelPosition): string {
  return `${kernelSeq}.${tenantId}.${seq}.${scopeId}`
}

export function decodeKernelId(id: string | undefined, pointer: string): KernelPosition | undefined {
  if (id === undefined) return undefined
  const [, kernelSeq, tenantId, seq, scopeId] = FORM.exec(id) ?? []
  if (!kernelSeq || !tenantId || !seq || scopeId === undefined)
    throw new Fault('validation_failed', {
      fields: [
        {
          pointer,
          code: 'invalid_position',
          message: 'Send the id of an event of this stream.',
        },
      ],
    })
  return { kernelSeq: Number(kernelSeq), tenantId, scopeId, seq: Number(seq) }
}
