import { get, patch, pod, pods, post, put, web } from '../exchange.ts'
import type { Difference, Scenario } from '../exchange.ts'

const image = 'registry.example/debug:1'
const at = `${web}/ephemeralcontainers`
const created = post(pods, { body: pod('web', { spec: { nodeName: 'n1' } }), save: 'web' })

type Options = Parameters<typeof patch>[3]

/** As `kubectl debug` adds them. */
function add(containers: readonly object[], options: Options = {}, spec: object = {}) {
  const body = { spec: { ephemeralContainers: containers, ...spec } }
  return patch('strategic', at, body, options)
}

function refused(message: string): Options {
  return { status: 422, holds: { reason: 'Invalid', message: `Pod "web" is invalid: ${message}` } }
}

const ownWords: readonly Difference[] = [
  { at: 'body.message', why: 'the sandbox shows a refused change in the API’s own words' },
  { at: 'body.details.causes', why: 'the same' },
]

function statusOf(state: object): unknown {
  const status = { name: 'd', image, imageID: '', ready: false, restartCount: 0, lastState: {} }
  return {
    metadata: { uid: '<web.metadata.uid>' },
    status: { ephemeralContainerStatuses: [{ ...status, state }] },
  }
}

const since = '2024-01-01T00:00:00Z'
const ended = statusOf({ terminated: { exitCode: 0, startedAt: since, finishedAt: since } })
const runningAgain = statusOf({ running: { startedAt: since } })

const notAllowed = 'Forbidden: cannot be set for an Ephemeral Container'
const first = 'spec.ephemeralContainers[0]'

export const ephemeralContainers: readonly Scenario[] = [
  {
    title: 'a container is added to a pod, with its defaults and a new generation',
    steps: [
      created,
      get(at, { holds: { kind: 'Pod', metadata: { generation: 1 } } }),
      add([{ name: 'one', image }], {
        holds: {
          metadata: { generation: 2 },
          spec: {
            ephemeralContainers: [
              {
                name: 'one',
                image,
                imagePullPolicy: 'IfNotPresent',
                resources: {},
                terminationMessagePath: '/dev/termination-log',
                terminationMessagePolicy: 'File',
              },
            ],
          },
        },
      }),
      add([{ name: 'two', image, stdin: true, tty: true, targetContainerName: 'c' }], {
        holds: { metadata: { generation: 3 } },
      }),
      get(web, { holds: { metadata: { generation: 3 } } }),
      // The same again changes nothing.
      add([{ name: 'one', image }], { holds: { metadata: { generation: 3 } } }),
    ],
  },
  {
    title: 'nothing else of the pod changes',
    steps: [
      created,
      add(
        [{ name: 'one', image }],
        { holds: { spec: { containers: [{ name: 'c', image: 'registry.example/app:1' }] } } },
        { activeDeadlineSeconds: 7, containers: [{ name: 'c', image: 'registry.example/app:2' }] },
      ),
      patch('merge', at, {
        metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['e.example/f'] },
        spec: {
          ephemeralContainers: [
            { name: 'one', image },
            { name: 'two', image },
          ],
        },
        status: { phase: 'Running' },
      }),
      get(web, { holds: { metadata: { generation: 3 }, status: { phase: 'Pending' } } }),
      patch(
        'merge',
        web,
        { spec: { ephemeralContainers: [] } },
        { status: 422, differs: ownWords },
      ),
      patch('merge', web, { metadata: { labels: { a: 'b' } } }),
    ],
  },
  {
    title: 'containers that were added are neither changed nor removed',
    steps: [
      created,
      add([
        { name: 'one', image },
        { name: 'two', image },
      ]),
      patch('json', at, [{ op: 'remove', path: '/spec/ephemeralContainers/0' }], {
        status: 422,
        holds: {
          message:
            'Pod "web" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "one" may not be removed\n',
        },
      }),
      add([{ name: 'one', image: 'registry.example/debug:2' }], { status: 422, differs: ownWords }),
      add([{ name: 'two', command: ['sh'] }], { status: 422, differs: ownWords }),
      patch('merge', at, {
        spec: {
          ephemeralContainers: [
            { name: 'two', image },
            { name: 'one', image },
          ],
        },
      }),
      patch('merge', at, { spec: { ephemeralContainers: null } }, { status: 422 }),
    ],
  },
  {
    title: 'names, images and targets are checked',
    steps: [
      created,
      add([{ name: 'c', image }], refused(`${first}.name: Duplicate value: "c"`)),
      patch(
        'merge',
        at,
        {
          spec: {
            ephemeralContainers: [
              { name: 'd', image },
              { name: 'd', image },
            ],
          },
        },
        { status: 422 },
      ),
      add([{ name: 'No_name', image }], { status: 422 }),
      add([{ name: 'd' }], refused(`${first}.image: Required value`)),
      add([{ name: 'd', image: ' spaced ' }], { status: 422 }),
      add(
        [{ name: 'd', image, targetContainerName: 'none' }],
        refused(`${first}.targetContainerName: Not found: "none"`),
      ),
      add([{ name: 'd', image, imagePullPolicy: 'Sometimes' }], { status: 422 }),
      add([{ name: 'd', image, volumeMounts: [{ name: 'v', mountPath: '/v' }] }], { status: 422 }),
    ],
  },
  {
    title: 'ports, resources, probes, hooks and subpaths are not allowed',
    steps: [
      post(pods, {
        body: pod('web', { spec: { nodeName: 'n1', volumes: [{ name: 'v', emptyDir: {} }] } }),
      }),
      add(
        [{ name: 'd', image, ports: [{ containerPort: 80 }] }],
        refused(`${first}.ports: ${notAllowed}`),
      ),
      add(
        [{ name: 'd', image, resources: { requests: { cpu: '1' } } }],
        refused(`${first}.resources: ${notAllowed}`),
      ),
      ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((probe) =>
        add([{ name: 'd', image, [probe]: { exec: { command: ['a'] } } }], { status: 422 }),
      ),
      add([{ name: 'd', image, lifecycle: { preStop: { sleep: { seconds: 1 } } } }], {
        status: 422,
      }),
      add([{ name: 'd', image, volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a' }] }], {
        status: 422,
      }),
      add(
        [{ name: 'd', image, volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: 'a' }] }],
        { status: 422 },
      ),
      add(
        [
          {
            name: 'd',
            image,
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: '1' } },
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
            livenessProbe: { httpGet: { port: 80 } },
          },
        ],
        { status: 422 },
      ),
      add([{ name: 'd', image, volumeMounts: [{ name: 'v', mountPath: '/v' }] }]),
    ],
  },
  {
    title: 'restart policies of containers that are added are dropped: their feature gate is off',
    steps: [
      created,
      add([{ name: 'd', image, restartPolicy: 'Always' }], {
        holds: { metadata: { generation: 2 } },
      }),
    ],
  },
  {
    title: 'pods are not created with ephemeral containers, and mirrors do not get them',
    steps: [
      post(pods, {
        body: pod('web', { spec: { ephemeralContainers: [{ name: 'd', image }] } }),
        status: 422,
      }),
      post(pods, {
        body: pod('web', {
          metadata: { annotations: { 'kubernetes.io/config.mirror': 'a' } },
          spec: { nodeName: 'n1' },
        }),
      }),
      add([{ name: 'd', image }], { status: 422 }),
      patch('strategic', `${pods}/none/ephemeralcontainers`, {}, { status: 404 }),
      patch('strategic', at, {}, { asNode: 'n1', status: 403 }),
    ],
  },
  {
    title: 'the whole pod is sent',
    steps: [
      created,
      put(at, {
        body: pod('web', {
          spec: { nodeName: 'n1', ephemeralContainers: [{ name: 'd', image }] },
        }),
        holds: { metadata: { generation: 2 } },
      }),
      put(at, {
        body: pod('other', { spec: { ephemeralContainers: [{ name: 'd', image }] } }),
        status: 400,
      }),
    ],
  },
  {
    title: 'a container that ended does not run again',
    steps: [
      created,
      add([{ name: 'd', image }]),
      patch('strategic', `${web}/status`, ended),
      patch('strategic', `${web}/status`, runningAgain, { status: 422 }),
    ],
  },
]
