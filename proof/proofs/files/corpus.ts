/** All hostile files, each named by its type and by what is wrong with it. */
import type { HostileFile } from './hostile-file.ts'
import { officeFiles } from './office-files.ts'
import { pdfFiles } from './pdf-files.ts'
import { textFiles } from './text-files.ts'

export function hostileFiles(): readonly HostileFile[] {
  return [...pdfFiles(), ...officeFiles(), ...textFiles()]
}
