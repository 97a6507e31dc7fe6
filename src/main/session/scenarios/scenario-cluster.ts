import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText } from '../../files/file-error.ts'
import type { Log } from '../../kubelet/ports.ts'
import { watchFolder } from '../../sources/folder-watch.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { openSandbox } from '../cluster/open-sandbox.ts'
import { DelayedFolderWatch } from './delayed-folder-watch.ts'
import type { ReadScenario } from './read-scenario.ts'
import { scenarioStart, startScenario, writeScenarioNodes } from './start-scenario.ts'

export interface ScenarioClusterDeps {
  /** Each open scenario has a folder of its own in here, named by its cluster. */
  readonly folder: string
  readonly version: string
  /** Of recordings that a page starts; absent: it cannot. */
  readonly recordingsPath?: string | undefined
  readonly log: Log
}

/** The same seed for all, so that a scenario without one is the same at each opening. */
const defaultSeed = 1

/**
 * Opens a scenario as a sandbox of its own. Stopping the cluster removes its folder. Error: a sentence, and nothing is left
 * running or on disk.
 */
export async function openScenarioCluster(
  id: string,
  read: ReadScenario,
  deps: ScenarioClusterDeps,
): Promise<Result<OpenSandbox, string>> {
  const folder = join(deps.folder, id)
  try {
    const opened = await openIn(folder, id, read, deps)
    if (!opened.ok) await removeFolder(folder)
    return opened
  } catch (error) {
    await removeFolder(folder)
    return err(`The scenario cannot be opened: ${fileErrorText(error).replace(/\.$/, '')}.`)
  }
}

async function openIn(
  folder: string,
  id: string,
  read: ReadScenario,
  { version, recordingsPath, log }: ScenarioClusterDeps,
): Promise<Result<OpenSandbox, string>> {
  const nodes = await writeScenarioNodes(read.scenario, join(folder, 'manifests'))
  const { seed = defaultSeed, ...start } = scenarioStart(read.scenario, Date.now())
  const watch = new DelayedFolderWatch(watchFolder)
  const opened = await openSandbox(
    {
      id,
      version,
      recordingsPath,
      nodes,
      maxPods: 110,
      manifestUrl: null,
      port: 0,
      kubeconfigPath: join(folder, 'kubeconfig'),
      seed,
      ...start,
      // Actions in a scenario reach no other cluster.
      readOnly: false,
    },
    { log, watchFolder: watch.watchFolder },
  )
  if (!opened.ok) return opened
  const cluster = opened.value
  const folders = new Map(nodes.map(({ name, manifestsPath }) => [name, manifestsPath]))
  const started = await startScenario(cluster, read, folders).catch((error: unknown) =>
    err(`The scenario cannot be opened: ${String(error)}.`),
  )
  if (!started.ok) {
    await cluster.stop()
    return started
  }
  watch.begin()
  const stop = async (): Promise<void> => {
    await cluster.stop()
    await removeFolder(folder)
  }
  return ok({ ...cluster, stop })
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}
