// Which Postgres clusters a state directory has, whatever became of its record.
import { existsSync, readdirSync } from 'node:fs'
import { type ClusterFiles, clusterFiles } from './postgres-cluster.ts'
import { standInFor } from './unprivileged.ts'

/** The directories that may hold Postgres data: the state directory and its stand-in. */
export function homesOf(stateDir: string): string[] {
  return [stateDir, standInFor(stateDir)].filter((dir) => existsSync(dir))
}

export function clustersOf(stateDir: string): ClusterFiles[] {
  return homesOf(stateDir).flatMap(clustersIn)
}

export function clustersIn(home: string): ClusterFiles[] {
  return readdirSync(home).flatMap((name) => {
    const major = /^postgres-(\d+)$/.exec(name)?.[1]
    return major === undefined ? [] : [clusterFiles(home, Number(major))]
  })
}
