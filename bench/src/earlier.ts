/** The service as it was at another commit, in a folder of its own, with the packages of today. */
import { join } from 'node:path'
import { linkPackages, runChild, withFolder } from '@concord/tools/launch'

const REPOSITORY = join(import.meta.dirname, '..', '..')

export async function withEarlier<Result>(
  commit: string,
  work: (repository: string) => Promise<Result>,
): Promise<Result> {
  return withFolder('earlier', async (folder) => {
    const archive = join(folder, 'commit.tar')
    await run('git', '-C', REPOSITORY, 'archive', '--output', archive, commit)
    await run('tar', '-x', '-f', archive, '-C', folder)
    await linkPackages(folder)
    return work(folder)
  })
}

/** The commit as people name it. */
export async function describeCommit(commit: string): Promise<string> {
  return (await run('git', '-C', REPOSITORY, 'log', '-1', '--format=%h %s', commit)).trim()
}

function run(command: string, ...args: string[]): Promise<string> {
  return runChild({ command, args, env: process.env })
}
