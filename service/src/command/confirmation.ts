/** A destructive command does nothing without --yes: it only says what it would delete. */

export interface ConfirmOptions {
  readonly yes?: boolean
}

/** Nothing was done. This is neither a success nor a failure, so it has an exit code of its own. */
export class Unconfirmed extends Error {
  static readonly exitCode = 2

  constructor(loss: string) {
    super(`This would remove ${loss}. It cannot be undone. Nothing was done; repeat with --yes to do it.`)
    this.name = 'Unconfirmed'
  }
}

export async function requireYes(
  { yes }: ConfirmOptions,
  describeLoss: () => Promise<string>,
): Promise<void> {
  if (!yes) throw new Unconfirmed(await describeLoss())
}

export const yesOption = [
  '--yes',
  'delete it; without this option, only print what would be deleted',
] as const
