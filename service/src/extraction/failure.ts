/** A file that cannot be read, and why. The reason is a code of a closed set, so nothing of the file travels with it. */
import type { FileFault } from '../domain/file-layout.ts'

export class ExtractionFailure extends Error {
  readonly fault: FileFault

  constructor(fault: FileFault, cause?: unknown) {
    super(fault, { cause })
    this.name = 'ExtractionFailure'
    this.fault = fault
  }
}
