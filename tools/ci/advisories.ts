/**
 * Asks the registry whether there are advisories against the packages that are deployed. It only tells: what is found is for people to
 * judge, and where the registry does not answer, nothing is known and nothing fails.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const TIMEOUT_MS = 60_000

interface Ended {
  readonly stdout?: unknown
  readonly killed?: unknown
}

/** One line for the log of CI. `args` are further words for npm. */
export async function describeAdvisories(cwd: string, args: readonly string[] = []): Promise<string> {
  const words = ['audit', '--omit=dev', '--json', ...args]
  try {
    const { stdout } = await promisify(execFile)('npm', words, { cwd, timeout: TIMEOUT_MS })
    return describe(stdout)
  } catch (error) {
    // npm ends with 1 where there are advisories, too.
    const { stdout, killed } = error as Ended
    if (killed === true) return skipped(`the registry did not answer within ${TIMEOUT_MS / 1_000} s`)
    return describe(typeof stdout === 'string' ? stdout : '')
  }
}

function describe(stdout: string): string {
  const total = totalOf(stdout)
  if (total === undefined) return skipped('the registry does not offer it or does not answer')
  if (total === 0) return '== advisories: none against the packages that are deployed'
  return `== advisories: ${total} against the packages that are deployed; look with npm audit --omit=dev`
}

const skipped = (reason: string) => `== advisories: skipped, ${reason}`

/** Undefined where the answer is no report. */
function totalOf(stdout: string): number | undefined {
  try {
    const report: unknown = JSON.parse(stdout)
    const found = Object(Object(Object(report).metadata).vulnerabilities).total
    return typeof found === 'number' ? found : undefined
  } catch {
    return undefined
  }
}
