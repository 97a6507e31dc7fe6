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

/** Temporary files and folders of processes that no longer run. */
async function abandonedTemporaryFiles(folder: string): Promise<readonly string[]> {
  return (await entriesOf(folder)).filter((path) => {
    const owner = temporaryOwner(path)
    return owner !== undefined && !isAlive(owner)
  })
}

async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isDirectory() === true && stats.uid === (process.getuid?.() ?? stats.uid)
}

/** Data folders of `--ephemeral` whose process no longer runs; one without a lock may be new. */
async function ephemeralFolders(temporaryFolder: string): Promise<readonly string[]> {
  const left: string[] = []
  for (const path of await entriesOf(temporaryFolder)) {
    const isOurs = ephemeralName.test(basename(path)) && (await isOwnFolder(path))
    if (isOurs && isAbandoned(path)) left.push(path)
  }
  return left
}

/**
 * Removes the leftovers of killed runs: temporary files, data folders of `--ephemeral`, folders of gotchas. Removes only
 * files with Nodescope's names whose process no longer runs. The data folder must be locked. Never rejects.
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
    // Manifest folders of the other nodes of a sandbox.
    ...(await entriesOf(dataFolder)).filter((path) =>
      path.startsWith(join(dataFolder, 'manifests-')),
    ),
  ])
  const left = [...(await entriesOf(join(dataFolder, 'gotchas')))]
  for (const folder of folders) left.push(...(await abandonedTemporaryFiles(folder)))
  left.push(...(await ephemeralFolders(temporaryFolder)))
  for (const path of left)
    await rm(path, { recursive: true, force: true }).catch((error: unknown) => {
      log.warn('cannot remove leftovers of a killed run', { path, error })
    })
  if (left.length > 0) log.info('removed leftovers of killed runs', { paths: left })
}
