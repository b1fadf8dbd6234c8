/** Chance, where a test cannot leave it to itself. */
import type { TestDatabase } from './database.ts'

/** Moves in this database stay as they were noted until somebody folds them. What is returned brings chance back. */
export async function leaveUnfolded({ superuser }: TestDatabase): Promise<() => Promise<void>> {
  const { rows } = await superuser.query<{ definition: string }>(
    `select pg_get_functiondef('fold_some'::regproc) as definition`,
  )
  await superuser.query(
    `create or replace function fold_some(scopes text[]) returns void language sql as 'select'`,
  )
  return async () => void (await superuser.query(rows[0]?.definition ?? ''))
}
