import { objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { toTimestamp } from '../../../src/shared/kubernetes/timestamps.ts'
import type { FakeKubelet } from './fake-kubelet.ts'
import { orderOf } from './fake-kubelet.ts'
import type { Method, Side } from './side.ts'

/** Where an act happens. */
export interface Scene {
  readonly side: Side
  readonly namespace: string
  readonly kubelet: FakeKubelet
}

/** One act, the same on both sides. */
export interface Act {
  readonly title: string
  readonly run: (scene: Scene) => Promise<void>
}

export type Kind =
  | 'deployments'
  | 'replicasets'
  | 'replicationcontrollers'
  | 'jobs'
  | 'cronjobs'
  | 'daemonsets'
  | 'statefulsets'
  | 'services'
  | 'pods'
  | 'configmaps'
  | 'poddisruptionbudgets'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'storageclasses'
  | 'nodes'

const roots: Readonly<Record<Kind, string>> = {
  deployments: '/apis/apps/v1',
  replicasets: '/apis/apps/v1',
  daemonsets: '/apis/apps/v1',
  statefulsets: '/apis/apps/v1',
  jobs: '/apis/batch/v1',
  cronjobs: '/apis/batch/v1',
  replicationcontrollers: '/api/v1',
  services: '/api/v1',
  pods: '/api/v1',
  configmaps: '/api/v1',
  poddisruptionbudgets: '/apis/policy/v1',
  persistentvolumeclaims: '/api/v1',
  persistentvolumes: '/api/v1',
  storageclasses: '/apis/storage.k8s.io/v1',
  nodes: '/api/v1',
}

/** Without a namespace: all sequences of a side share them. */
const clusterScoped: ReadonlySet<Kind> = new Set(['persistentvolumes', 'storageclasses', 'nodes'])

export function pathOf({ namespace }: Scene, kind: Kind, name?: string): string {
  const scope = clusterScoped.has(kind) ? '' : `/namespaces/${namespace}`
  const collection = `${roots[kind]}${scope}/${kind}`
  return name === undefined ? collection : `${collection}/${name}`
}

export async function sent(
  { side }: Scene,
  [method, path, body, type]: readonly [Method, string, unknown?, string?],
): Promise<JsonObject> {
  const { code, body: answer } = await side.send(method, path, body, type)
  if (code >= 300)
    throw new Error(`${side.name}: ${method} ${path}: ${code} ${textAt(answer, 'message')}`)
  return answer
}

export function create(kind: Kind, object: JsonObject): Act {
  const title = `create ${kind} ${JSON.stringify(object)}`
  return {
    title,
    run: async (scene) => void (await sent(scene, ['POST', pathOf(scene, kind), object])),
  }
}

export function patch(
  kind: Kind,
  name: string,
  body: JsonObject,
  type: 'merge-patch' | 'strategic-merge-patch' = 'strategic-merge-patch',
): Act {
  return {
    title: `patch ${kind} ${name} ${JSON.stringify(body)}`,
    run: async (scene) =>
      void (await sent(scene, [
        'PATCH',
        pathOf(scene, kind, name),
        body,
        `application/${type}+json`,
      ])),
  }
}

export function scale(kind: Kind, name: string, replicas: number): Act {
  return patch(kind, name, { spec: { replicas } }, 'merge-patch')
}

export function setImage(kind: Kind, name: string, image: string): Act {
  const containers = [{ name: 'c', image }]
  return patch(kind, name, { spec: { template: { spec: { containers } } } })
}

export function remove(kind: Kind, name: string, propagationPolicy?: string): Act {
  return {
    title: `delete ${kind} ${name} ${propagationPolicy ?? ''}`,
    run: async (scene) => {
      const options = propagationPolicy === undefined ? {} : { propagationPolicy }
      await sent(scene, ['DELETE', pathOf(scene, kind, name), options])
    },
  }
}

/** One act after the other, without waiting until the controllers have come to rest. */
export function inOne(...acts: readonly Act[]): Act {
  return {
    title: acts.map(({ title }) => title).join(', then '),
    run: async (scene) => {
      for (const act of acts) await act.run(scene)
    },
  }
}

export function pass(seconds: number): Act {
  return { title: `wait ${seconds} s`, run: ({ side }) => side.pass(seconds * 1000) }
}

/** Does an act at a second of the minute. */
export function atSecond(second: number, { title, run }: Act): Act {
  return {
    title: `${title} at second ${second}`,
    run: async (scene) => {
      const { side } = scene
      await side.pass((60_000 + second * 1000 - (side.now() % 60_000)) % 60_000)
      await run(scene)
    },
  }
}

/** Does an act as soon as there is a Job. */
export function onceThereIsJob({ title, run }: Act): Act {
  return {
    title: `${title} once there is a job`,
    run: async (scene) => {
      const hasJob = async (): Promise<boolean> => {
        const { body } = await scene.side.send('GET', pathOf(scene, 'jobs'))
        return objectsAt(body, 'items').length > 0
      }
      while (!(await hasJob())) await scene.side.pass(500)
      await run(scene)
    },
  }
}

/** Makes a CronJob with a yearly or daily schedule due, as if it had last been due 400 days ago. */
export function makeDue(name: string): Act {
  return {
    title: `make ${name} due`,
    run: async (scene) => {
      const lastScheduleTime = toTimestamp(scene.side.now() - 400 * 86_400_000)
      const path = `${pathOf(scene, 'cronjobs', name)}/status`
      const body = { status: { lastScheduleTime } }
      await sent(scene, ['PATCH', path, body, 'application/merge-patch+json'])
    },
  }
}

/** Deletes the Job at this place among all, by name. */
export function deleteJob(place: number): Act {
  return {
    title: `delete job ${place}`,
    run: async (scene) => {
      const { body } = await scene.side.send('GET', pathOf(scene, 'jobs'))
      const job = objectsAt(body, 'items')[place] ?? {}
      const path = pathOf(scene, 'jobs', textAt(objectAt(job, 'metadata'), 'name'))
      await sent(scene, ['DELETE', path, { propagationPolicy: 'Background' }])
    },
  }
}

/** Creates the Job of a CronJob now, as `kubectl create job --from`. */
export function createJobFrom(cronJob: string, name: string): Act {
  return {
    title: `create job ${name} from ${cronJob}`,
    run: async (scene) => {
      const { body } = await scene.side.send('GET', pathOf(scene, 'cronjobs', cronJob))
      const uid = textAt(objectAt(body, 'metadata'), 'uid')
      const owner = {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        name: cronJob,
        uid,
        controller: true,
      }
      const { spec } = objectAt(objectAt(body, 'spec'), 'jobTemplate')
      const metadata = { name, ownerReferences: [owner] }
      await sent(scene, ['POST', pathOf(scene, 'jobs'), { metadata, spec }])
    },
  }
}

/** As `kubectl rollout undo`: the template of the ReplicaSet with the next lower revision. */
export function undo(name: string): Act {
  return {
    title: `undo ${name}`,
    run: async (scene) => {
      const { body } = await scene.side.send('GET', pathOf(scene, 'replicasets'))
      const key = 'deployment.kubernetes.io/revision'
      const revision = (set: JsonObject): number =>
        Number(textAt(objectAt(objectAt(set, 'metadata'), 'annotations'), key))
      const sets = objectsAt(body, 'items').toSorted((a, b) => revision(b) - revision(a))
      const template = objectAt(objectAt(sets[1] ?? {}, 'spec'), 'template')
      if (!('spec' in template)) return
      const { 'pod-template-hash': _, ...labels } = objectAt(
        objectAt(template, 'metadata'),
        'labels',
      )
      const value = { ...template, metadata: { labels } }
      const operations = [{ op: 'replace', path: '/spec/template', value }]
      await sent(scene, [
        'PATCH',
        pathOf(scene, 'deployments', name),
        operations,
        'application/json-patch+json',
      ])
    },
  }
}

/** The pods of a namespace that are not going; those that are alike are next to each other. */
async function livePods(scene: Scene): Promise<readonly JsonObject[]> {
  const { body } = await scene.side.send('GET', pathOf(scene, 'pods'))
  return objectsAt(body, 'items')
    .filter((pod) => !('deletionTimestamp' in objectAt(pod, 'metadata')))
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

type OfPod = (scene: Scene, path: string, pod: JsonObject) => Promise<void>

/** Acts on the pod at this place among all, if there is one. */
function onPod(title: string, place: number, act: OfPod): Act {
  return {
    title: `${title} ${place}`,
    run: async (scene) => {
      const pods = await livePods(scene)
      const pod = pods[place % Math.max(1, pods.length)]
      if (pod === undefined) return
      await act(scene, pathOf(scene, 'pods', textAt(objectAt(pod, 'metadata'), 'name')), pod)
    },
  }
}

export function deletePod(place: number): Act {
  return onPod('delete pod', place, async (scene, path) => {
    await sent(scene, ['DELETE', path])
  })
}

export function failPod(place: number, exitCode = 1): Act {
  return onPod('fail pod', place, async ({ kubelet, side }, path, pod) => {
    const containerStatuses = objectsAt(objectAt(pod, 'status'), 'containerStatuses').map(
      (one) => ({
        ...one,
        ready: false,
        state: { terminated: { exitCode } },
      }),
    )
    const conditions = [
      { type: 'Ready', status: 'False', lastTransitionTime: toTimestamp(side.now()) },
    ]
    await kubelet.writeStatus(path, { phase: 'Failed', conditions, containerStatuses })
  })
}

export function finishPod(place: number): Act {
  return onPod('finish pod', place, async ({ kubelet, side }, path) => {
    const conditions = [
      { type: 'Ready', status: 'False', lastTransitionTime: toTimestamp(side.now()) },
    ]
    await kubelet.writeStatus(path, { phase: 'Succeeded', conditions })
  })
}

/** Ends all pods that run. */
export function endPods(phase: 'Succeeded' | 'Failed'): Act {
  return {
    title: `end the pods that run: ${phase}`,
    run: async (scene) => {
      for (const pod of await livePods(scene)) {
        if (objectAt(pod, 'status')['phase'] !== 'Running') continue
        const lastTransitionTime = toTimestamp(scene.side.now())
        const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime }]
        const path = pathOf(scene, 'pods', textAt(objectAt(pod, 'metadata'), 'name'))
        await scene.kubelet.writeStatus(path, { phase, conditions })
      }
    },
  }
}

export function setReady(place: number, status: 'True' | 'False'): Act {
  return onPod(`ready=${status} pod`, place, async ({ kubelet, side }, path) => {
    const conditions = [{ type: 'Ready', status, lastTransitionTime: toTimestamp(side.now()) }]
    await kubelet.writeStatus(path, { conditions })
  })
}

/** Takes a pod out of the selector of its controller. */
export function relabelPod(place: number): Act {
  return onPod('relabel pod', place, async (scene, path) => {
    const body = { metadata: { labels: { app: 'other' } } }
    await sent(scene, ['PATCH', path, body, 'application/merge-patch+json'])
  })
}

/** Lets it be found again. */
export function relabelBack(): Act {
  return {
    title: 'label the others back',
    run: async (scene) => {
      const pods = await livePods(scene)
      const others = pods.filter(
        (pod) => objectAt(objectAt(pod, 'metadata'), 'labels')['app'] === 'other',
      )
      for (const pod of others) {
        const path = pathOf(scene, 'pods', textAt(objectAt(pod, 'metadata'), 'name'))
        const body = { metadata: { labels: { app: 'web' } } }
        await sent(scene, ['PATCH', path, body, 'application/merge-patch+json'])
      }
    },
  }
}

/** Creates a ConfigMap with owners; `uid` undefined: the owner's own. */
export function createOwned(
  name: string,
  owners: readonly {
    readonly kind: Kind
    readonly name: string
    readonly uid?: string
    readonly blocks?: boolean
  }[],
): Act {
  return {
    title: `create configmap ${name} owned by ${JSON.stringify(owners)}`,
    run: async (scene) => {
      const ownerReferences: JsonObject[] = []
      for (const owner of owners) {
        const { body } = await scene.side.send('GET', pathOf(scene, owner.kind, owner.name))
        const kinds: Partial<Record<Kind, readonly [string, string]>> = {
          deployments: ['apps/v1', 'Deployment'],
          replicasets: ['apps/v1', 'ReplicaSet'],
          configmaps: ['v1', 'ConfigMap'],
        }
        const [apiVersion = '', kind = ''] = kinds[owner.kind] ?? []
        const uid = owner.uid ?? textAt(objectAt(body, 'metadata'), 'uid')
        const blocks = owner.blocks === true ? { blockOwnerDeletion: true } : {}
        ownerReferences.push({ apiVersion, kind, name: owner.name, uid, ...blocks })
      }
      await sent(scene, [
        'POST',
        pathOf(scene, 'configmaps'),
        { metadata: { name, ownerReferences } },
      ])
    },
  }
}
