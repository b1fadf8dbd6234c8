/** The steps of CI, as data: what runs, in which phase, and how it must end. */

export interface CiStep {
  readonly name: string
  /** The words after `npm run --silent`. */
  readonly script: readonly string[]
  readonly timeoutSeconds: number
  /** A sabotaged proof must miss a bound; everything else must pass. */
  readonly expects: 'pass' | 'missed bound'
  /** It measures pace or fills both cores, so nothing runs beside it. */
  readonly alone: boolean
  /** It watches the clock of a shared machine: a failure is repeated once, alone, at the end, and reported as flaky. */
  readonly repeatable: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** A proof as `npm run prove -- --list --json` prints it. */
export interface ListedProof {
  readonly name: string
  /** Some of its figures are times or rates, which a busy machine spoils. */
  readonly measuresPace: boolean
  /** Why CI does not run it; absent for one that CI runs. */
  readonly byHand?: string
}

/** The exit codes of `npm run prove`, apart from 0. */
export const BOUND_MISSED = 1
export const PACE_MISSED = 4

const SHARES = 4
/** A step that hangs ends here. A slow machine takes three times what a quiet one does, and that is no failure. */
const PROOF_SECONDS = 600

/** The steps before any proof: what fails fast comes first. A test that the machine made fail is repeated and reported, too. */
export const checks: readonly CiStep[] = [
  step('check', ['check'], { timeoutSeconds: 1800, alone: true, repeatable: true }),
  step('check of the slow tests', ['check', '--', '--only', 'slow'], {
    timeoutSeconds: 2700,
    alone: true,
    repeatable: true,
  }),
]

/** The suites that run beside the proofs. The system's Postgres, where there is one, has servers of its own. */
export function suites(systemServices: string | undefined): CiStep[] {
  const acceptance = { timeoutSeconds: 900, repeatable: true }
  return [
    step('acceptance', ['acceptance'], acceptance),
    ...(systemServices === undefined
      ? []
      : [
          step('acceptance on the system Postgres', ['acceptance'], {
            ...acceptance,
            env: { CONCORD_POSTGRES: 'system', CONCORD_SERVICES_DIR: systemServices },
          }),
        ]),
    step('quality', ['quality', '--', '--short'], { timeoutSeconds: 300 }),
    step('quality of the model reader', ['quality', '--', '--reader', 'model'], {
      timeoutSeconds: 300,
    }),
    step('docs', ['docs'], { timeoutSeconds: 180 }),
    step('release', ['release', '--', '--dry-run'], { timeoutSeconds: 120 }),
  ]
}

export function proofSteps(proofs: readonly ListedProof[]): CiStep[] {
  return proofs
    .filter(({ byHand }) => byHand === undefined)
    .map(({ name, measuresPace }) =>
      step(`prove ${name}`, ['prove', '--', name, '--short'], {
        timeoutSeconds: PROOF_SECONDS,
        alone: measuresPace,
        repeatable: true,
      }),
    )
}

/**
 * A proof that stays green when something is broken on purpose proves nothing. That changes seldom, so each run takes one
 * share of the sabotages and the next run the next share; `share` undefined takes them all.
 */
export function sabotageSteps(proofs: readonly ListedProof[], share: number | undefined): CiStep[] {
  return proofs
    .filter(({ byHand }) => byHand === undefined)
    .filter((_, index) => share === undefined || index % SHARES === share % SHARES)
    .map(({ name, measuresPace }) =>
      step(`prove ${name} --sabotage`, ['prove', '--', name, '--short', '--sabotage'], {
        timeoutSeconds: PROOF_SECONDS,
        expects: 'missed bound',
        alone: measuresPace,
        repeatable: true,
      }),
    )
}

function step(name: string, script: readonly string[], rest: Partial<CiStep>): CiStep {
  return { name, script, timeoutSeconds: 300, expects: 'pass', alone: false, repeatable: false, ...rest }
}
