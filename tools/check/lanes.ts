// The order in which steps run, for the check and for CI: two at a time, and afterwards, one by one, those that want to be alone.

interface LaneStep {
  /** Takes longer than all others together, so it starts first, and they run beside it. */
  readonly first?: boolean
  /** Measures pace or fills both cores, so nothing else runs beside it. */
  readonly alone?: boolean
}

const LANES = 2

export async function runInLanes<Step extends LaneStep>(
  steps: readonly Step[],
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const together = steps.filter((step) => step.alone !== true)
  const waiting = together.toSorted((a, b) => Number(b.first ?? false) - Number(a.first ?? false)).values()
  // Each lane takes the next step of the same queue when it is free.
  const lane = async (): Promise<void> => {
    for (const step of waiting) await run(step)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  for (const step of steps) if (step.alone === true) await run(step)
}
