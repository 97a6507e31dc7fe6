import { mkdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { numberAt, objectAt, objectsAt, textAt, type JsonObject } from '../../../src/shared/json.ts'
import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import type { ControlPlane } from '../control-plane.ts'
import { RealKubelet } from '../cri/real-kubelet.ts'
import { RecordedMachine } from '../cri/recorded-runtime.ts'
import type { Administrator } from '../integration/administrator.ts'
import { ManifestFolder } from '../integration/manifest-folder.ts'

/** A run of a real kubelet with its log, and what others saw of it. */
export interface LoggedRun {
  readonly node: string
  readonly log: string
  /** The UIDs of the API pods, by name. */
  readonly uids: ReadonlyMap<string, string>
  /** When the administrator deleted a pod, ms, by name. */
  readonly deletedAt: ReadonlyMap<string, number>
  /** What happened to its containers. */
  readonly runtime: readonly TraceEvent[]
}

export interface LoggedNode {
  readonly node: string
  readonly verbosity: number
  readonly file: string
  readonly plane: ControlPlane
  readonly administrator: Administrator
  readonly folder: string
  /** In its KubeletConfiguration. */
  readonly format?: 'json'
}

const patienceMs = 60_000

const handlesTerm = 'trap "exit 0" TERM; while true; do sleep 0.1; done'
const ignoresTerm = 'trap "" TERM; while true; do sleep 0.1; done'

function container(script: string, more: object = {}): object {
  return { name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script], ...more }
}

function specOf(script: string, more: object = {}, ofContainer: object = {}): object {
  return {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 3,
    containers: [container(script, ofContainer)],
    ...more,
  }
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  })
}

function isReady(pod: JsonObject): boolean {
  return objectsAt(objectAt(pod, 'status'), 'conditions').some(
    (condition) => condition['type'] === 'Ready' && condition['status'] === 'True',
  )
}

function restarts(pod: JsonObject): number {
  const [status] = objectsAt(objectAt(pod, 'status'), 'containerStatuses')
  return numberAt(status ?? {}, 'restartCount') ?? 0
}

function phaseOf(pod: JsonObject): string {
  return textAt(objectAt(pod, 'status'), 'phase')
}

/** Takes one real kubelet through creation, deletion, failure, rejection, edits of a static pod, and a restart. */
export async function runLogged(options: LoggedNode): Promise<LoggedRun> {
  const { node, plane, administrator, folder } = options
  await mkdir(folder, { recursive: true })
  const machine = await RecordedMachine.start(join(folder, 'cri.sock'))
  const kubelet = new RealKubelet({
    file: options.file,
    nodeName: node,
    kubeconfig: plane.nodeKubeconfigs.get(node) ?? '',
    caFile: join(plane.folder, 'ca.crt'),
    socketPath: machine.socketPath,
    folder,
    nodeIp: '127.0.0.1',
    port: await freePort(),
    verbosity: options.verbosity,
    fields: {
      fileCheckFrequency: '1s',
      ...(options.format === undefined ? {} : { logging: { format: options.format } }),
    },
  })
  await kubelet.start()
  try {
    const seen = await takeThrough({ node, administrator, kubelet, folder })
    return {
      node,
      ...seen,
      log: await readFile(kubelet.logFile, 'utf8'),
      runtime: machine.runtime.events,
    }
  } finally {
    await kubelet.stop()
    machine.end()
  }
}

async function takeThrough(parts: {
  readonly node: string
  readonly administrator: Administrator
  readonly kubelet: RealKubelet
  readonly folder: string
}): Promise<Pick<LoggedRun, 'uids' | 'deletedAt'>> {
  const { node, administrator, kubelet, folder } = parts
  const pods = `/api/v1/namespaces/${node}/pods`
  const manifests = new ManifestFolder(folder)
  const uids = new Map<string, string>()
  const deletedAt = new Map<string, number>()
  const until = async (name: string, isWanted: (pod: JsonObject) => boolean): Promise<void> => {
    const limit = Date.now() + patienceMs
    for (;;) {
      const pod = await administrator.ask('GET', `${pods}/${name}`).catch(() => ({}))
      if (isWanted(pod)) return
      if (Date.now() > limit)
        throw new Error(
          `${name} did not get there: ${JSON.stringify(pod)}\n${await kubelet.lastLines()}`,
        )
      await sleep(100)
    }
  }
  const create = async (name: string, spec: object): Promise<void> => {
    const made = await administrator.ask('POST', pods, {
      metadata: { name },
      spec: { nodeName: node, ...spec },
    })
    uids.set(name, textAt(objectAt(made, 'metadata'), 'uid'))
  }
  const remove = (name: string, body: object = {}): Promise<JsonObject> => {
    deletedAt.set(name, Date.now())
    return administrator.ask('DELETE', `${pods}/${name}`, body)
  }
  const isGone = (pod: JsonObject): boolean => Object.keys(pod).length === 0
  const put = (script: string): Promise<void> =>
    manifests.put({ metadata: { name: 'web', namespace: node }, spec: specOf(script) as never })

  await administrator.makeNamespace(node)
  await put(handlesTerm)
  const failing = { exec: { command: ['sh', '-c', 'exit 1'] }, periodSeconds: 1 }
  await create('polite', specOf(handlesTerm))
  await create('deaf', specOf(ignoresTerm))
  await create('crash', specOf('exit 3'))
  await create('once', specOf('sleep 1; exit 0', { restartPolicy: 'Never' }))
  await create(
    'probed',
    specOf(handlesTerm, {}, { livenessProbe: { ...failing, failureThreshold: 2 } }),
  )
  await create('huge', specOf('true', {}, { resources: { requests: { cpu: '500' } } }))
  await create('forced', specOf(ignoresTerm))
  await Promise.all([
    until(`web-${node}`, isReady),
    ...['polite', 'deaf', 'forced'].map((name) => until(name, isReady)),
    until('once', (pod) => phaseOf(pod) === 'Succeeded'),
    until('huge', (pod) => phaseOf(pod) === 'Failed'),
    until('crash', (pod) => restarts(pod) >= 1),
    until('probed', (pod) => restarts(pod) >= 1),
  ])
  await remove('polite')
  await remove('deaf')
  await remove('forced', { gracePeriodSeconds: 0 })
  await put(`true; ${handlesTerm}`)
  await Promise.all(['polite', 'deaf'].map((name) => until(name, isGone)))
  await kubelet.stop()
  await kubelet.start()
  await create('late', specOf(handlesTerm))
  await until('late', isReady)
  // The restarted kubelet replaces the mirror.
  await until(`web-${node}`, isReady)
  await remove(`web-${node}`)
  await manifests.remove({ name: 'web', namespace: node })
  await until(`web-${node}`, isGone)
  await remove('late')
  await until('late', isGone)
  // Long enough for housekeeping to forget the workers.
  await sleep(4000)
  return { uids, deletedAt }
}
