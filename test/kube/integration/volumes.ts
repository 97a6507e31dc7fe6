import { setTimeout as sleep } from 'node:timers/promises'
import type { Container, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Scenario, ScenarioRun } from './scenario-run.ts'

const image = 'busybox:1.36'
const started = ['Created', 'Pulled', 'Started'] as const

function mounting(name: string, script: string, mount: object = {}): Container {
  const volumeMounts = [{ name: 'data', mountPath: '/data', ...mount }]
  return { name, image, command: ['sh', '-c', script], volumeMounts }
}

/** A pod that runs once, with one volume `data`. */
function specWith(source: object, ...containers: readonly Container[]): Pod['spec'] {
  return { containers, volumes: [{ name: 'data', ...source }], restartPolicy: 'Never' }
}

async function write(
  { admin, namespace }: ScenarioRun,
  method: 'POST' | 'PUT',
  plural: 'configmaps' | 'secrets',
  fields: object,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/${plural}${method === 'PUT' ? '/web' : ''}`
  await admin.ask(method, path, { metadata: { name: 'web' }, ...fields })
}

async function clear(run: ScenarioRun, name: string): Promise<void> {
  await run.delete(name, 0)
  await run.untilGone(name)
}

function attempts({ observer, namespace }: ScenarioRun): number {
  return Math.max(...observer.of('events', { namespace }).map(({ object }) => object.count ?? 0))
}

/** A pod whose volume cannot be set up: it waits until it is deleted. */
function cannotMount(key: string, title: string, source: object): Scenario {
  return {
    title,
    key,
    phases: { web: ['Pending', 'Failed', 'gone'] },
    events: ['FailedMount'],
    steps: async (run) => {
      await run.create('web', specWith(source, mounting('c', 'true')))
      // The next attempt is 8 s later: one after the pod has ended would find its objects not registered.
      await run.observer.until(
        'the fifth attempt',
        () => attempts(run) >= 5 || undefined,
        () => attempts(run),
      )
      await run.delete('web')
      await run.untilGone('web')
    },
  }
}

/** Volumes of pods, and what a container sees in them. */
export const volumes: readonly Scenario[] = [
  {
    title: 'a ConfigMap volume that is missing, and arrives',
    key: 'configmap-arrives',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['FailedMount', ...started],
    steps: async (run) => {
      const script = 'test "$(cat /data/key)" = one && sleep 12'
      await run.create('web', specWith({ configMap: { name: 'web' } }, mounting('c', script)))
      await run.untilEvents(['FailedMount'])
      await write(run, 'POST', 'configmaps', { data: { key: 'one' } })
      await run.untilEnded('web', 'Succeeded')
      await clear(run, 'web')
    },
  },
  {
    title: 'a changed ConfigMap reaches the volume when the pod is synced',
    key: 'configmap-changes',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: started,
    steps: async (run) => {
      await write(run, 'POST', 'configmaps', { data: { key: 'one' } })
      const script = 'until [ "$(cat /data/key)" = two ]; do sleep 1; done; test ! -e /data/old'
      await run.create('web', specWith({ configMap: { name: 'web' } }, mounting('c', script)))
      await run.untilRunning('web')
      // The syncs that its start brings are over.
      await sleep(4000)
      await write(run, 'PUT', 'configmaps', { data: { key: 'two' } })
      // The kubelet's watch has it by the time that the second change arrives, which makes the pod sync.
      await sleep(2000)
      await run.patch('web', { metadata: { annotations: { synced: 'again' } } })
      await run.untilEnded('web', 'Succeeded')
      await clear(run, 'web')
    },
  },
  {
    title: 'two containers share an emptyDir',
    key: 'shared-folder',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: started,
    steps: async (run) => {
      const reads = 'until [ -f /data/log ]; do sleep 1; done; test "$(cat /data/log)" = hello'
      const containers = [
        mounting('reader', `${reads} && sleep 12`),
        mounting('writer', 'sleep 2; echo hello > /data/log; sleep 12'),
      ]
      await run.create('web', specWith({ emptyDir: {} }, ...containers))
      await run.untilEnded('web', 'Succeeded')
      await clear(run, 'web')
    },
  },
  {
    title: 'labels in a downward API volume',
    key: 'downward-labels',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: started,
    steps: async (run) => {
      const items = [{ path: 'meta/name', fieldRef: { fieldPath: 'metadata.name' } }]
      // A real kubelet has them in memory, which only its own mount namespace sees: nothing is read here.
      await run.create('web', specWith({ downwardAPI: { items } }, mounting('c', 'sleep 12')))
      await run.untilEnded('web', 'Succeeded')
      await clear(run, 'web')
    },
  },
  cannotMount('projected-missing', 'a projected volume whose sources are missing', {
    projected: {
      sources: [
        { configMap: { name: 'absent' } },
        { secret: { name: 'missing' } },
        { secret: { name: 'other', optional: true } },
      ],
    },
  }),
  cannotMount('secret-missing', 'a Secret volume that is missing', {
    secret: { secretName: 'missing' },
  }),
  cannotMount('host-path-type', 'a hostPath volume of the wrong type', {
    hostPath: { path: '/nothing-is-here', type: 'Directory' },
  }),
  {
    title: 'a subPathExpr whose variable is missing',
    key: 'sub-path-variable',
    phases: { web: ['Pending', 'Failed', 'gone'] },
    events: ['Failed', 'Pulled'],
    steps: async (run) => {
      const container = mounting('c', 'true', { subPathExpr: '$(WHERE)/log' })
      await run.create('web', specWith({ emptyDir: {} }, container))
      await run.untilEvents(['Failed'])
      await run.delete('web')
      await run.untilGone('web')
    },
  },
]
