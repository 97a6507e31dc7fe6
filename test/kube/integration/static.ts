import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Manifest } from './manifest-folder.ts'
import { handlesSigterm, exitsAfter, specOf, ignoresSigterm } from './containers.ts'
import { isReady, mainNode, type Scenario, type ScenarioRun } from './scenario-run.ts'

const mirrorAnnotation = 'kubernetes.io/config.mirror'
const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const

/** A manifest in the scenario's namespace. */
export function manifestOf(run: ScenarioRun, name: string, spec: Pod['spec']): Manifest {
  return { metadata: { name, namespace: run.namespace, labels: { app: name } }, spec }
}

/** Creates a mirror as another client. */
export async function createForeignMirror(
  run: ScenarioRun,
  nodeName: string,
  name: string,
  hash: string,
): Promise<void> {
  await run.admin.ask('POST', `/api/v1/namespaces/${run.namespace}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { [mirrorAnnotation]: hash } },
    spec: { nodeName, containers: [{ name: 'c', image: 'registry.example/foreign:1' }] },
  })
}

/** Whether the kubelet created the mirror. */
export function isOwnMirror({ metadata: { annotations = {} } }: Pod): boolean {
  return annotations[mirrorAnnotation] === annotations['kubernetes.io/config.hash']
}

/** Waits for a Running mirror with another UID. */
export async function untilAnotherRuns(run: ScenarioRun, name: string, than: Pod): Promise<Pod> {
  const { uid } = than.metadata
  return run.until(
    name,
    'has a new mirror',
    (pod) => pod.metadata.uid !== uid && isOwnMirror(pod) && isReady(pod),
  )
}

/** Of its first container. */
export function startedAt(pod: Pod): string {
  return pod.status?.containerStatuses?.[0]?.state?.running?.startedAt ?? ''
}

/** Removes a manifest from the main node, and waits for the end of its mirror. */
export async function remove(run: ScenarioRun, name: string): Promise<void> {
  await run.mainKubelet.removeManifest({ name, namespace: run.namespace })
  await run.untilGone(`${name}-${mainNode}`)
}

/** What happens to static pods and their mirrors. */
export const staticPods: readonly Scenario[] = [
  {
    title:
      'a manifest is added, its mirror is edited by another client and deleted gracefully, and the manifest is removed',
    key: 'static',
    phases: { 'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${mainNode}`
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm())))
      const first = await run.untilRunning(name)
      await run.patch(name, { metadata: { labels: { mine: 'yes' } } })
      await run.until(name, 'has the label', (pod) => pod.metadata.labels?.['mine'] === 'yes')
      await run.delete(name)
      const second = await untilAnotherRuns(run, name, first)
      const isUntouched = startedAt(second) === startedAt(first)
      await remove(run, 'web')
      return { isUntouched }
    },
  },
  {
    title: 'a force-deleted mirror is recreated by the next sync of its pod',
    key: 'static-forced',
    phases: { 'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'] },
    events: ['Created', 'Pulled', 'Started'],
    cutAt: 'uid 2',
    steps: async (run) => {
      const name = `web-${mainNode}`
      const containers = [handlesSigterm('stays'), exitsAfter(0, { name: 'ends', seconds: 15 })]
      await run.mainKubelet.putManifest(manifestOf(run, 'web', { containers }))
      const first = await run.untilRunning(name)
      await run.delete(name, 0)
      await run.untilGone(name)
      await untilAnotherRuns(run, name, first)
      await remove(run, 'web')
    },
  },
  {
    title: 'a mirror with another hash is replaced, and one without a manifest is deleted',
    key: 'static-foreign',
    phases: {
      'lone-main': ['gone'],
      'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${mainNode}`
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm())))
      const first = await run.untilRunning(name)
      await run.delete(name, 0)
      await run.untilGone(name)
      await createForeignMirror(run, mainNode, name, 'of-somebody-else')
      const last = await untilAnotherRuns(run, name, first)
      await createForeignMirror(run, mainNode, `lone-${mainNode}`, 'of-nobody')
      await run.untilGone(`lone-${mainNode}`)
      await remove(run, 'web')
      return { isUntouched: startedAt(first) === startedAt(last) }
    },
  },
  {
    title: 'the pod of an edited manifest waits for the old one',
    key: 'static-edited',
    phases: { 'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${mainNode}`
      const before = specOf(ignoresSigterm(), { terminationGracePeriodSeconds: 2 })
      await run.mainKubelet.putManifest(manifestOf(run, 'web', before))
      const first = await run.untilRunning(name)
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm())))
      await untilAnotherRuns(run, name, first)
      await remove(run, 'web')
    },
  },
  {
    title: 'a static pod that fails with restartPolicy Never',
    key: 'static-ended',
    phases: { 'web-main': ['Pending', 'Running', 'Failed', 'gone'] },
    events: ['Created', 'Pulled', 'Started'],
    steps: async (run) => {
      const name = `web-${mainNode}`
      const spec = specOf(exitsAfter(2), { restartPolicy: 'Never' })
      await run.mainKubelet.putManifest(manifestOf(run, 'web', spec))
      await run.untilEnded(name, 'Failed')
      await remove(run, 'web')
    },
  },
  {
    title: 'a static pod that is killed manually',
    key: 'static-killed',
    onlyOurs: 'only the program’s page can do it by hand',
    phases: { 'web-main': ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${mainNode}`
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(ignoresSigterm())))
      await run.mainAgent.kill(await run.untilRunning(name), 2)
      // Unlike an ordinary pod it gets no terminal phase.
      await run.until(name, 'has stopped', (pod) => {
        const [container] = pod.status?.containerStatuses ?? []
        return container?.state?.terminated !== undefined
      })
      await remove(run, 'web')
    },
  },
  {
    title: 'a static pod whose container exits 0 under OnFailure',
    key: 'static-succeeded',
    phases: { 'web-main': ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Pulled', 'Started'],
    steps: async (run) => {
      const spec = specOf(exitsAfter(0), { restartPolicy: 'OnFailure' })
      await run.mainKubelet.putManifest(manifestOf(run, 'web', spec))
      await run.untilEnded(`web-${mainNode}`, 'Succeeded')
      await remove(run, 'web')
      return {}
    },
  },
  {
    title: 'a static pod whose container is restarted',
    key: 'static-restarted',
    phases: { 'web-main': ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Pulled', 'Started'],
    cutAt: 'running since then ready started restarts 1',
    steps: async (run) => {
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(exitsAfter(1))))
      const restarts = (pod: Pod): number => pod.status?.containerStatuses?.[0]?.restartCount ?? 0
      await run.until(
        `web-${mainNode}`,
        'was restarted',
        (pod) => restarts(pod) > 0 && isReady(pod),
      )
      await remove(run, 'web')
      return {}
    },
  },
  {
    title: 'a changed label of a manifest makes a new static pod',
    key: 'static-labels',
    phases: { 'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const manifest = manifestOf(run, 'web', specOf(handlesSigterm()))
      await run.mainKubelet.putManifest(manifest)
      const first = await run.untilRunning(`web-${mainNode}`)
      const labels = { app: 'web', tier: 'front' }
      await run.mainKubelet.putManifest({ ...manifest, metadata: { ...manifest.metadata, labels } })
      const second = await untilAnotherRuns(run, `web-${mainNode}`, first)
      await remove(run, 'web')
      return { isRestarted: startedAt(second) !== startedAt(first) }
    },
  },
  {
    title: 'a manifest with another pod name in the same file',
    key: 'static-renamed',
    phases: {
      'other-main': ['Pending', 'Running', 'gone'],
      'web-main': ['Pending', 'Running', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const manifest = manifestOf(run, 'web', specOf(handlesSigterm()))
      await run.mainKubelet.putManifest(manifest)
      await run.untilRunning(`web-${mainNode}`)
      const renamed = manifestOf(run, 'other', specOf(handlesSigterm()))
      await run.mainKubelet.putManifest(renamed, 'web')
      await run.untilGone(`web-${mainNode}`)
      await run.untilRunning(`other-${mainNode}`)
      await run.mainKubelet.removeManifest(manifest.metadata)
      await run.untilGone(`other-${mainNode}`)
      return {}
    },
  },
  {
    title: 'a mirror that is evicted through the API comes back while its container runs on',
    key: 'static-evicted',
    phases: { 'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${mainNode}`
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm())))
      const first = await run.untilRunning(name)
      await run.evict(name)
      const second = await untilAnotherRuns(run, name, first)
      const isUntouched = startedAt(second) === startedAt(first)
      await remove(run, 'web')
      return { isUntouched }
    },
  },
]
