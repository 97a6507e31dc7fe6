import { lstat, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { temporaryOwner } from '../files/temporary-path.ts'
import { withinDeadline } from '../files/within-deadline.ts'
import type { Log } from '../kubelet/ports.ts'
import type { Config } from './config.ts'
import { ephemeralName } from './config.ts'
import { isAbandoned } from './folder-lock.ts'
import { isAlive } from './process-identity.ts'

async function entriesOf(folder: string): Promise<readonly string[]> {
  const names = await withinDeadline(folder, () => readdir(folder)).catch(() => [])
  return names.map((name) => join(folder, name))
}

/** Temporary files and folders of processes that are gone. */
async function killedWrites(folder: string): Promise<readonly string[]> {
  return (await entriesOf(folder)).filter((path) => {
    const owner = temporaryOwner(path)
    return owner !== undefined && !isAlive(owner)
  })
}

async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isDirectory() === true && stats.uid === (process.getuid?.() ?? stats.uid)
}

/** Data folders of `--ephemeral` whose process is gone; one without a lock may be one that is just being made. */
async function ephemeralFolders(temporaryFolder: string): Promise<readonly string[]> {
  const left: string[] = []
  for (const path of await entriesOf(temporaryFolder)) {
    const isOurs = ephemeralName.test(basename(path)) && (await isOwnFolder(path))
    if (isOurs && isAbandoned(path)) left.push(path)
  }
  return left
}

/**
 * Removes what runs that were killed have left: temporary files beside the files that they were to become, data folders of
 * `--ephemeral`, folders of gotchas. Only what is ours by its name, and whose process is gone. The data folder must be held
 * already. Never rejects.
 */
export async function removeLeftovers(
  config: Pick<Config, 'dataFolder' | 'manifestsPath' | 'cluster'>,
  { temporaryFolder, log }: { readonly temporaryFolder: string; readonly log: Log },
): Promise<void> {
  const { dataFolder, manifestsPath, cluster } = config
  const folders = new Set([
    dataFolder,
    manifestsPath,
    dirname(manifestsPath),
    ...(cluster.kind === 'sandbox' ? [dirname(cluster.kubeconfigPath)] : []),
    // Of the other nodes of a sandbox.
    ...(await entriesOf(dataFolder)).filter((path) =>
      path.startsWith(join(dataFolder, 'manifests-')),
    ),
  ])
  const left = [...(await entriesOf(join(dataFolder, 'gotchas')))]
  for (const folder of folders) left.push(...(await killedWrites(folder)))
  left.push(...(await ephemeralFolders(temporaryFolder)))
  for (const path of left)
    await rm(path, { recursive: true, force: true }).catch((error: unknown) => {
      log.warn('cannot remove leftovers of a killed run', { path, error })
    })
  if (left.length > 0) log.info('removed leftovers of killed runs', { paths: left })
}
