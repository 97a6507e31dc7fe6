import type { JsonObject } from '../../../src/shared/json.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { RandomPicker } from '../../random-picker.ts'
import {
  create,
  createOwned,
  deletePod,
  failPod,
  patch,
  relabelBack,
  relabelPod,
  remove,
  scale,
  setImage,
  setReady,
  undo,
} from './acts.ts'
import type { Act, Kind } from './acts.ts'

/** Acts in a namespace of their own. */
export interface Sequence {
  readonly name: string
  readonly acts: readonly Act[]
  /** How long nothing changes when the controllers have come to rest; undefined: what its side says. */
  readonly quietMs?: number
  /** Claims that wait are looked at again only every 15 s. */
  readonly hasClaims?: boolean
  /** Only the last state and the events are compared: the others depend on the time that the acts themselves take. */
  readonly comparesOnlyEnd?: boolean
}

export const app = 'web'

export function template(image = 'registry.example/run:1', spec: JsonObject = {}): JsonObject {
  return {
    metadata: { labels: { app } },
    spec: {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      // Nothing schedules the pods.
      schedulerName: 'none',
      containers: [
        {
          name: 'c',
          image,
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      ...spec,
    },
  }
}

export function workload(spec: JsonObject, name = app): JsonObject {
  return {
    metadata: { name },
    spec: { selector: { matchLabels: { app } }, template: template(), ...spec },
  }
}

export function randomActs(
  picker: RandomPicker,
  count: number,
  choices: readonly (() => Act)[],
): Act[] {
  return Array.from({ length: count }, () => picker.of(choices)())
}

export const cascades = ['Background', 'Foreground', 'Orphan'] as const

function replicated(kind: Kind, seed: number): Sequence {
  const picker = new RandomPicker(seededRandom(seed).fork(kind))
  const selector = kind === 'replicationcontrollers' ? { app } : { matchLabels: { app } }
  const made = create(kind, workload({ replicas: picker.whole(1, 4), selector }))
  const acts = randomActs(picker, 9, [
    () => scale(kind, app, picker.below(6)),
    () => deletePod(picker.below(4)),
    () => failPod(picker.below(4)),
    () => setReady(picker.below(4), picker.oneOf('True', 'False')),
    () => relabelPod(picker.below(3)),
    () => relabelBack(),
    () => create('pods', { ...template(), metadata: { generateName: 'bare-', labels: { app } } }),
    () => setImage(kind, app, `registry.example/run:${picker.whole(1, 3)}`),
  ])
  return {
    name: `${kind}-${seed}`,
    acts: [
      made,
      ...acts,
      remove(kind, app, picker.of(cascades)),
      create(kind, workload({ replicas: 2, selector })),
    ],
  }
}

function deployment(seed: number): Sequence {
  const picker = new RandomPicker(seededRandom(seed).fork('deployments'))
  const strategy = picker.oneOf<JsonObject>(
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    { type: 'Recreate' },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: '50%' } },
  )
  const spec = { progressDeadlineSeconds: 600, strategy, revisionHistoryLimit: picker.whole(1, 3) }
  const made = create('deployments', workload({ replicas: picker.whole(1, 5), ...spec }))
  const acts = randomActs(picker, 9, [
    () => scale('deployments', app, picker.below(7)),
    () => setImage('deployments', app, `registry.example/run:${picker.whole(1, 5)}`),
    () => setImage('deployments', app, `registry.example/unready:${picker.whole(1, 2)}`),
    () => setImage('deployments', app, 'registry.example/stay-pending:1'),
    () => patch('deployments', app, { spec: { paused: picker.is(0.5) } }, 'merge-patch'),
    () => undo(app),
    () => deletePod(picker.below(4)),
    () => failPod(picker.below(4)),
    () => relabelPod(picker.below(4)),
    () =>
      patch(
        'deployments',
        app,
        { metadata: { annotations: { note: String(picker.below(3)) } } },
        'merge-patch',
      ),
  ])
  return {
    name: `deployments-${seed}`,
    acts: [
      made,
      ...acts,
      remove('deployments', app, picker.of(cascades)),
      create('deployments', workload({ replicas: 2, ...spec })),
    ],
  }
}

/** Owners of all sorts, for the garbage collector. */
function ownership(): Sequence {
  const wrong = '00000000-0000-4000-8000-000000000000'
  const map = (name: string, ...owners: Parameters<typeof createOwned>[1]): Act =>
    createOwned(name, owners)
  const of = (name: string, more: { readonly uid?: string; readonly blocks?: boolean } = {}) =>
    ({ kind: 'configmaps', name, ...more }) as const
  return {
    name: 'ownership',
    acts: [
      create('configmaps', { metadata: { name: 'root' } }),
      create('configmaps', { metadata: { name: 'second' } }),
      map('child', of('root')),
      map('both', of('root'), of('second')),
      map('stranger', of('root', { uid: wrong })),
      map('missing-owner', of('nothing', { uid: wrong })),
      map('grandchild', of('child', { blocks: true })),
      remove('configmaps', 'root', 'Foreground'),
      create('configmaps', { metadata: { name: 'held', finalizers: ['example.com/held'] } }),
      map('blocking', of('held', { blocks: true })),
      map('free', of('held')),
      remove('configmaps', 'held', 'Foreground'),
      remove('configmaps', 'second', 'Orphan'),
      create('configmaps', { metadata: { name: 'late' } }),
      map('kept', of('late', { blocks: true })),
      patch(
        'configmaps',
        'kept',
        { metadata: { finalizers: ['example.com/kept'] } },
        'merge-patch',
      ),
      remove('configmaps', 'late', 'Foreground'),
      patch('configmaps', 'kept', { metadata: { finalizers: null } }, 'merge-patch'),
      patch('configmaps', 'held', { metadata: { finalizers: null } }, 'merge-patch'),
    ],
  }
}

export const basicSequences: readonly Sequence[] = [
  ...[1, 2].map((seed) => replicated('replicasets', seed)),
  replicated('replicationcontrollers', 1),
  ...[1, 2, 3, 4, 5, 6].map((seed) => deployment(seed)),
  ownership(),
]
