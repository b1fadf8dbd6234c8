/** The fault that a call was refused with. */
import type { FieldFault, ProblemCode } from '@concord/contract'
import { Fault } from '../../src/domain/fault.ts'

/** The code of the fault a call ends with; any other failure is passed on, and success is `undefined`. */
export async function faultOf(call: Promise<unknown>): Promise<ProblemCode | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

/** The fields that the fault names. */
export async function fieldsOf(call: Promise<unknown>): Promise<readonly FieldFault[]> {
  try {
    await call
    return []
  } catch (error) {
    if (error instanceof Fault) return error.fields ?? []
    throw error
  }
}
