/** Thrown if a file cannot be read. The reason is a code of a closed set, so it has no content of the file. */
import type { FileFault } from '../domain/file-layout.ts'

export class ExtractionFailure extends Error {
  readonly fault: FileFault

  constructor(fault: FileFault, cause?: unknown) {
    super(fault, { cause })
    this.name = 'ExtractionFailure'
    this.fault = fault
  }
}
