import { join } from 'node:path'

/** The command as a file that Node runs. */
export const ENTRY = join(import.meta.dirname, '..', '..', 'service', 'src', 'main', 'concord.ts')
