import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/fault.ts'

describe('a fault', () => {
  it('carries its code, and keeps the private reason and the cause for the log', () => {
    const cause = new Error('no such row')
    const fault = new Fault('scope_not_found', { internal: 'epoch 3', cause })
    expect(fault).toMatchObject({ code: 'scope_not_found', message: 'epoch 3', cause, headers: {} })
    expect(fault.fields).toBeUndefined()
  })

  it('needs nothing but its code', () => {
    expect(new Fault('not_found')).toMatchObject({ code: 'not_found', message: 'not_found' })
  })
})
