import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Manifest } from './agent.ts'
import { obedient, passing, specOf, stubborn } from './containers.ts'
import { isReady, mainNode, type Scenario, type Stage } from './stage.ts'

const mirrorAnnotation = 'kubernetes.io/config.mirror'
const nothing = {} as const
const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const

function manifestOf(stage: Stage, name: string, spec: Pod['spec']): Manifest {
  return { metadata: { name, namespace: stage.namespace, labels: { app: name } }, spec }
}

/** A mirror that somebody else makes. */
export async function createForeignMirror(
  stage: Stage,
  nodeName: string,
  name: string,
  hash: string,
): Promise<void> {
  await stage.admin.ask('POST', `/api/v1/namespaces/${stage.namespace}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { [mirrorAnnotation]: hash } },
    spec: { nodeName, containers: [{ name: 'c', image: 'registry.example/foreign:1' }] },
  })
}

/** One that the kubelet made. */
export function isOwnMirror({ metadata: { annotations = {} } }: Pod): boolean {
  return annotations[mirrorAnnotation] === annotations['kubernetes.io/config.hash']
}

/** A mirror of another uid than that one, told that its pod runs. */
async function untilAnotherRuns(stage: Stage, name: string, than: Pod): Promise<Pod> {
  const { uid } = than.metadata
  return stage.until(
    name,
    'has a new mirror',
    (pod) => pod.metadata.uid !== uid && isOwnMirror(pod) && isReady(pod),
  )
}

function startedAt(pod: Pod): string {
  return pod.status?.containerStatuses?.[0]?.state?.running?.startedAt ?? ''
}

async function remove(stage: Stage, name: string): Promise<void> {
  await stage.mainAgent.removeManifest({ name, namespace: stage.namespace })
  await stage.untilGone(`${name}-${mainNode}`)
}

/** What happens to static pods and their mirrors. */
export const staticPods: readonly Scenario[] = [
  {
    title:
      'a manifest appears, its mirror is edited by somebody else, deleted gracefully, and the manifest goes',
    key: 'static',
    phases: { 'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    play: async (stage) => {
      const name = `web-${mainNode}`
      await stage.mainAgent.putManifest(manifestOf(stage, 'web', specOf(obedient())))
      const first = await stage.untilRunning(name)
      await stage.patch(name, { metadata: { labels: { mine: 'yes' } } })
      await stage.until(name, 'has the label', (pod) => pod.metadata.labels?.['mine'] === 'yes')
      await stage.delete(name)
      const second = await untilAnotherRuns(stage, name, first)
      const isUntouched = startedAt(second) === startedAt(first)
      await remove(stage, 'web')
      return { isUntouched }
    },
  },
  {
    title: 'a mirror that is deleted by force comes back with the next sync of its pod',
    key: 'static-forced',
    phases: { 'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'] },
    events: ['Created', 'Pulled', 'Started'],
    cutAt: 'uid 2',
    play: async (stage) => {
      const name = `web-${mainNode}`
      const containers = [obedient('stays'), passing(0, { name: 'ends', seconds: 15 })]
      await stage.mainAgent.putManifest(manifestOf(stage, 'web', { containers }))
      const first = await stage.untilRunning(name)
      await stage.delete(name, 0)
      await stage.untilGone(name)
      await untilAnotherRuns(stage, name, first)
      await remove(stage, 'web')
      return nothing
    },
  },
  {
    title: 'a mirror with another hash is replaced, and one without a manifest is removed',
    key: 'static-foreign',
    phases: {
      'lone-main': ['gone'],
      'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'],
    },
    events: startedAndKilled,
    play: async (stage) => {
      const name = `web-${mainNode}`
      await stage.mainAgent.putManifest(manifestOf(stage, 'web', specOf(obedient())))
      const first = await stage.untilRunning(name)
      await stage.delete(name, 0)
      await stage.untilGone(name)
      await createForeignMirror(stage, mainNode, name, 'of-somebody-else')
      const last = await untilAnotherRuns(stage, name, first)
      await createForeignMirror(stage, mainNode, `lone-${mainNode}`, 'of-nobody')
      await stage.untilGone(`lone-${mainNode}`)
      await remove(stage, 'web')
      return { isUntouched: startedAt(first) === startedAt(last) }
    },
  },
  {
    title: 'a manifest that is edited: the new pod waits for the old one',
    key: 'static-edited',
    phases: { 'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    play: async (stage) => {
      const name = `web-${mainNode}`
      const before = specOf(stubborn(), { terminationGracePeriodSeconds: 2 })
      await stage.mainAgent.putManifest(manifestOf(stage, 'web', before))
      const first = await stage.untilRunning(name)
      await stage.mainAgent.putManifest(manifestOf(stage, 'web', specOf(obedient())))
      await untilAnotherRuns(stage, name, first)
      await remove(stage, 'web')
      return nothing
    },
  },
  {
    title: 'a static pod that ends under Never and stays',
    key: 'static-ended',
    phases: { 'web-main': ['Pending', 'Running', 'Failed', 'gone'] },
    events: ['Created', 'Pulled', 'Started'],
    play: async (stage) => {
      const name = `web-${mainNode}`
      const spec = specOf(passing(2), { restartPolicy: 'Never' })
      await stage.mainAgent.putManifest(manifestOf(stage, 'web', spec))
      await stage.untilEnded(name, 'Failed')
      await remove(stage, 'web')
      return nothing
    },
  },
  {
    title: 'a static pod that is killed by hand',
    key: 'static-killed',
    phases: { 'web-main': ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    play: async (stage) => {
      const name = `web-${mainNode}`
      await stage.mainAgent.putManifest(manifestOf(stage, 'web', specOf(stubborn())))
      await stage.mainAgent.kill(await stage.untilRunning(name), 2)
      // Unlike an ordinary pod it is given no phase for its end.
      await stage.until(name, 'has stopped', (pod) => {
        const [container] = pod.status?.containerStatuses ?? []
        return container?.state?.terminated !== undefined
      })
      await remove(stage, 'web')
      return nothing
    },
  },
]
