import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ActError, Receipt } from '../../../shared/ipc/contract.ts'
import type { RecorderView } from '../../../shared/model/cluster-view.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText } from '../../files/file-error.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import { ClusterRecorder } from '../../recorder/cluster-recorder.ts'
import type { RecordedCluster } from '../../recorder/cluster-recorder.ts'
import { openRecordingFile } from '../../recorder/recording-file.ts'
import type { RecordingFile } from '../../recorder/recording-file.ts'
import type { ClusterSession } from '../cluster/cluster-session.ts'
import type { Workloads } from '../workloads/workloads.ts'
import type { SessionNode } from '../cluster/session-node.ts'

interface ClusterRecordingDeps {
  readonly trace: ClusterTrace
  readonly clock: Clock
  readonly log: Log
  /** Of --record. */
  readonly file: RecordingFile | undefined
}

/** `isAlways`: recorded also while no page looks at them. */
interface RecordedWorkloads {
  readonly of: Pick<Workloads, 'shown' | 'onChange' | 'watch'>
  readonly isAlways: boolean
}

/** What is recorded. */
interface Recorded {
  readonly version: string
  readonly session: ClusterSession
  /** Names of its nodes; for a cluster that is looked at of none. */
  readonly nodes: readonly string[]
  readonly seed: number | null
  /** Who owns its pods; undefined: it is not known. */
  readonly workloads: RecordedWorkloads | undefined
  /** Of a row, whose environment values are kept out of the file. */
  readonly pod: (node: string, uid: string) => Pod | undefined
  /** Folder of the recordings that a page starts, absolute; undefined: it cannot. */
  readonly folder: string | undefined
}

interface Running {
  readonly recorder: ClusterRecorder
  readonly view: RecorderView
}

/** The recording of one cluster: that of `--record` from its first event on, or one that a page starts and stops. */
export class ClusterRecording {
  readonly #deps: ClusterRecordingDeps
  #recorded: Recorded | undefined
  #running: Running | undefined
  #last: RecorderView | null = null
  #isStarting = false

  /** Listens from now on if there is a file. */
  constructor(deps: ClusterRecordingDeps) {
    this.#deps = deps
    if (deps.file !== undefined) this.#running = this.#newRecorder(deps.file)
  }

  get view(): RecorderView | null {
    return this.#running?.view ?? this.#last
  }

  /** Writes the header, the events and the rows so far, if there is a file. `startAt`: ms since 1970 on the cluster's clock. */
  async begin(recorded: Recorded, startAt: number): Promise<void> {
    this.#recorded = recorded
    const { session } = recorded
    if (this.#running === undefined) return
    session.setRecorder(this.view)
    await this.#running.recorder.begin(headerOf(recorded, startAt), recordedCluster(recorded))
  }

  /** Starts with all rows and what the trace still has, in a new file. */
  async start(): Promise<Result<Receipt, ActError>> {
    const recorded = this.#recorded
    const folder = recorded?.folder
    if (recorded === undefined || folder === undefined)
      return refused('refused', 'This cluster cannot be recorded.')
    if (this.#running !== undefined || this.#isStarting)
      return refused('refused', 'The cluster is being recorded already.')
    this.#isStarting = true
    try {
      const file = await newFile(folder, recorded.session.id)
      if (!file.ok) return refused('failed', file.error)
      const { trace } = this.#deps
      const running = this.#newRecorder(file.value)
      this.#running = running
      const history = trace.newest(Number.MAX_SAFE_INTEGER).toReversed()
      const header = headerOf(recorded, recorded.session.now())
      await running.recorder.begin(header, recordedCluster(recorded), history)
      recorded.session.setRecorder(this.view)
      // It may have broken meanwhile.
      if (this.#running !== running) return refused('failed', this.#last?.problem ?? '')
      return ok({ message: `Recording to ${file.value.path}` })
    } finally {
      this.#isStarting = false
    }
  }

  /** Ends it, if it runs. */
  async stop(): Promise<Result<Receipt, ActError>> {
    const running = this.#running
    if (running === undefined) return refused('refused', 'The cluster is not being recorded.')
    this.#running = undefined
    this.#last = { ...running.view, isRunning: false }
    await running.recorder.stop()
    this.#recorded?.session.setRecorder(this.view)
    return ok({ message: `Recorded to ${running.view.path}` })
  }

  #newRecorder(file: RecordingFile): Running {
    const { trace, clock, log } = this.#deps
    const view = { path: file.path, since: Date.now(), isRunning: true, problem: '' }
    const onBroken = (problem: string): void => {
      if (this.#running?.recorder !== recorder) return
      this.#running = undefined
      this.#last = { ...view, isRunning: false, problem }
      this.#recorded?.session.setRecorder(this.view)
    }
    const recorder = new ClusterRecorder({ trace, clock, log, file, wallNow: Date.now, onBroken })
    return { recorder, view }
  }
}

/** A new file for this user alone. The error is one sentence. */
async function newFile(folder: string, cluster: string): Promise<Result<RecordingFile, string>> {
  const at = new Date().toISOString().replaceAll(/[-:]/g, '')
  const name = `${cluster.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 100)}-${at}.ndjson`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    return err(
      `The folder of recordings ${folder} cannot be created: ${fileErrorText(error)}. Use --record FILE.`,
    )
  }
  return openRecordingFile(join(folder, name))
}

function headerOf({ version, session, nodes, seed }: Recorded, startAt: number) {
  const { server, kind } = session.view()
  return {
    version,
    startedAt: new Date(kind === 'sandbox' ? startAt : Date.now()).toISOString(),
    cluster: session.id,
    server,
    nodes,
    clock: { virtual: kind === 'sandbox', startAt },
    seed,
  }
}

/** The cluster as the pages have it, and the pods behind its rows. */
function recordedCluster({ session, pod, workloads }: Recorded): RecordedCluster {
  const { rows, row, detail, view, flow, inspection } = session
  return {
    rows,
    row,
    detail,
    view,
    flow,
    inspection,
    pod,
    workloads: () => workloads?.of.shown(),
    onChange: (listener) => {
      const stops = [
        session.onChange(listener),
        workloads?.of.onChange(() => {
          listener({ kind: 'workloads' })
        }),
        workloads?.isAlways === true ? workloads.of.watch(() => undefined).stop : undefined,
      ]
      return () => {
        for (const stop of stops) stop?.()
      }
    },
  }
}

/** The pods of nodes that are this program. */
export function podOfNodes(
  nodes: ReadonlyMap<string, Pick<SessionNode, 'kubelet'>>,
): Recorded['pod'] {
  return (node, uid) => {
    const kubelet = nodes.get(node)?.kubelet
    return kubelet?.podManager.getPodByUID(uid) ?? kubelet?.podWorkers.lastPod(uid)
  }
}

function refused(kind: ActError['kind'], message: string): Result<never, ActError> {
  return err({ kind, message })
}
