import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { GotchaView } from '../../shared/model/gotcha.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import { gotchaClusterId } from '../session/gotcha-opener.ts'
import type { OpenSandbox } from '../session/cluster/open-cluster.ts'
import { openSandbox } from '../session/cluster/open-sandbox.ts'
import { watchFolder } from '../sources/folder-watch.ts'
import { DelayedFolderWatch } from './delayed-folder-watch.ts'
import { nodeA } from './gotcha.ts'
import type { Gotcha } from './gotcha.ts'
import { ScriptedSandbox } from './scripted-sandbox.ts'

export interface GotchaDeps {
  /** Each open gotcha has a folder of its own in here, named by its id. */
  readonly folder: string
  readonly version: string
  /** Of recordings that a page starts; absent: it cannot. */
  readonly recordingsPath?: string
  readonly log: Log
}

/** The virtual clock starts this much in the past, so that no timestamp is in the future for kubectl after the script. */
const startsEarlierMs = 15 * 60_000

/** The same seed for all, so that a gotcha is the same at each opening. */
const seed = 1

/** A gotcha whose script has run, with the sandbox that it ran in. */
export interface StartedGotcha {
  readonly cluster: OpenSandbox
  readonly sandbox: ScriptedSandbox
}

/**
 * Opens the cluster of a gotcha and runs its script; then the clock is paused. Stopping the cluster removes its folder.
 * Error: one sentence, and nothing is left running or on disk.
 */
export async function startGotcha(
  gotcha: Gotcha,
  deps: GotchaDeps,
): Promise<Result<StartedGotcha, string>> {
  const folder = join(deps.folder, gotcha.id)
  try {
    return ok(await started(gotcha, deps, folder))
  } catch (error) {
    await removeFolder(folder)
    const reason = error instanceof Error ? error.message : String(error)
    return err(`The gotcha cannot be opened: ${reason.replace(/\.$/, '')}.`)
  }
}

async function started(gotcha: Gotcha, deps: GotchaDeps, folder: string): Promise<StartedGotcha> {
  const { id, nodes: names = [nodeA], lookAt, next } = gotcha
  // A process that was killed may have left files.
  await removeFolder(folder)
  const nodes = names.map((name) => ({ name, manifestsPath: join(folder, 'manifests', name) }))
  for (const { manifestsPath } of nodes)
    await mkdir(manifestsPath, { recursive: true, mode: 0o700 })
  const watch = new DelayedFolderWatch(watchFolder)
  const opened = await openSandbox(
    {
      id: gotchaClusterId(id),
      version: deps.version,
      recordingsPath: deps.recordingsPath,
      nodes,
      maxPods: 110,
      manifestUrl: null,
      port: 0,
      kubeconfigPath: join(folder, 'kubeconfig'),
      seed,
      // Whole seconds, like the timestamps of the API: the same differences at each opening.
      startAt: Math.floor((Date.now() - startsEarlierMs) / 1000) * 1000,
      // Actions in a gotcha reach no other cluster.
      readOnly: false,
    },
    { log: deps.log, watchFolder: watch.watchFolder },
  )
  if (!opened.ok) throw new Error(opened.error)
  const cluster = opened.value
  const sandbox = new ScriptedSandbox(cluster)
  try {
    await sandbox.untilReady()
    const row = await gotcha.run(sandbox)
    const { steps } = sandbox
    cluster.session.setGotcha({ ...gotchaView(gotcha), steps, lookAt, next, pod: row?.key ?? null })
  } catch (error) {
    await cluster.stop()
    throw error
  }
  watch.begin()
  const stop = async (): Promise<void> => {
    await cluster.stop()
    await removeFolder(folder)
  }
  return { cluster: { ...cluster, stop }, sandbox }
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}

/** What the list shows of a gotcha. */
export function gotchaView(gotcha: GotchaView): GotchaView {
  const { id, title, category, confusion, truth, sections } = gotcha
  return { id, title, category, confusion, truth, sections }
}
