import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExhibitView } from '../../shared/model/museum.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import { exhibitCluster } from '../session/museum-door.ts'
import type { OpenSandbox } from '../session/cluster/open-cluster.ts'
import { openSandbox } from '../session/cluster/open-sandbox.ts'
import type { SandboxOptions } from '../session/cluster/open-sandbox.ts'
import { watchFolder } from '../sources/folder-watch.ts'
import type { Exhibit } from './exhibit.ts'
import { LateWatch } from './late-watch.ts'
import { Stage } from './stage.ts'

export interface MuseumDeps {
  /** Each exhibit that is open has a folder of its own in here, named by its id. */
  readonly folder: string
  readonly version: string
  readonly log: Log
}

/** How far back the time of an exhibit begins, so that its moment does not lie in what kubectl takes for the future. */
const beginsEarlierMs = 15 * 60_000

/** One seed for all, so that an exhibit is the same at each opening. */
const seed = 1

/** An exhibit at its moment, with the stage that it was played on. */
export interface PlayedExhibit {
  readonly cluster: OpenSandbox
  readonly stage: Stage
}

/**
 * Makes the cluster of an exhibit and plays it up to its moment, where its clock stands. Stopping the cluster removes
 * its folder. Error: one sentence, and nothing is left of it.
 */
export async function playExhibit(
  exhibit: Exhibit,
  deps: MuseumDeps,
): Promise<Result<PlayedExhibit, string>> {
  const folder = join(deps.folder, exhibit.id)
  try {
    return ok(await played(exhibit, deps, folder))
  } catch (error) {
    await removeFolder(folder)
    const reason = error instanceof Error ? error.message : String(error)
    return err(`The gotcha cannot be opened: ${reason.replace(/\.$/, '')}.`)
  }
}

async function played(exhibit: Exhibit, deps: MuseumDeps, folder: string): Promise<PlayedExhibit> {
  // What a run that was ended by force has left.
  await removeFolder(folder)
  const folders = new Map(exhibit.nodes.map((node) => [node, join(folder, 'manifests', node)]))
  for (const path of folders.values()) await mkdir(path, { recursive: true, mode: 0o700 })
  const watch = new LateWatch({ watchFolder })
  const opened = await openSandbox(
    {
      ...optionsOf(exhibit, folders),
      version: deps.version,
      kubeconfigPath: join(folder, 'kubeconfig'),
    },
    { log: deps.log, watchFolder: watch.watchFolder },
  )
  if (!opened.ok) throw new Error(opened.error)
  const sandbox = opened.value
  const stage = new Stage({ sandbox, folders })
  try {
    await stage.untilReady()
    await show(exhibit, sandbox, stage)
  } catch (error) {
    await sandbox.stop()
    throw error
  }
  watch.begin()
  const stop = async (): Promise<void> => {
    await sandbox.stop()
    await removeFolder(folder)
  }
  return { cluster: { ...sandbox, stop }, stage }
}

async function show(exhibit: Exhibit, sandbox: OpenSandbox, stage: Stage): Promise<void> {
  const { moment, next } = exhibit
  const row = await exhibit.play(stage)
  const { steps } = stage
  sandbox.session.setStanding({
    exhibit: { ...exhibitView(exhibit), steps, moment, next, pod: row?.key ?? null },
  })
}

function optionsOf(
  { id }: Exhibit,
  folders: ReadonlyMap<string, string>,
): Omit<SandboxOptions, 'version' | 'kubeconfigPath'> {
  return {
    id: exhibitCluster(id),
    nodes: [...folders].map(([name, manifestsPath]) => ({ name, manifestsPath })),
    maxPods: 110,
    manifestUrl: null,
    port: 0,
    seed,
    // Whole seconds, as the API keeps its times: the same differences at each opening.
    startAt: Math.floor((Date.now() - beginsEarlierMs) / 1000) * 1000,
    // A world of its own: nothing that is done in it reaches any other.
    readOnly: false,
  }
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}

/** What the list shows of an exhibit. */
export function exhibitView({
  id,
  title,
  category,
  confusion,
  truth,
  sections,
}: ExhibitView): ExhibitView {
  return { id, title, category, confusion, truth, sections }
}
