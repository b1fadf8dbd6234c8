/**
 * `concord up`, bound to the program that started it: its standard input ends when that program is gone, by whatever signal, and
 * then the service ends too.
 */
import { ENTRY } from './entry.ts'

/** The service finishes its requests; what takes longer is cut off. */
const GRACE_MS = 5_000

function end(): void {
  setTimeout(() => process.exit(1), GRACE_MS).unref()
  process.kill(process.pid, 'SIGTERM')
}

process.stdin.once('end', end).once('error', end).resume().unref()
process.argv.splice(1, process.argv.length, ENTRY, 'up')
await import(ENTRY)
