import { describe, expect, it } from 'vitest'
import { objectAt, objectsAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { metadataOf, pod, pods, serverUnderTest } from '../../fake-client.ts'

async function created(spec: JsonObject = {}, metadata: JsonObject = {}) {
  const test = serverUnderTest()
  const answer = await test.client.post(pods, pod('web', spec, metadata))
  if (answer.code !== 201) throw new Error(answer.message)
  return { ...test, body: answer.body }
}

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

describe('the spec of a pod', () => {
  it.each<[string, JsonObject, number]>([
    ['an image', { containers: [{ name: 'c', image: 'y' }] }, 2],
    ['a deadline', { activeDeadlineSeconds: 5 }, 2],
    [
      'another toleration',
      {
        tolerations: [
          { key: 'a', operator: 'Exists' },
          {
            key: 'node.kubernetes.io/not-ready',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 10,
          },
          {
            key: 'node.kubernetes.io/unreachable',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          },
        ],
      },
      2,
    ],
    ['nothing but empty fields', { hostNetwork: false, nodeSelector: {}, hostname: '' }, 1],
  ])('may change by %s', async (_, spec, generation) => {
    const { client } = await created()
    const answer = await client.patch(`${pods}/web`, { spec })
    expect([answer.code, metadataOf(answer)['generation']]).toEqual([200, generation])
  })

  it('does not count a change of labels as a generation', async () => {
    const { client } = await created()
    const answer = await client.patch(`${pods}/web`, { metadata: { labels: { a: 'b' } } })
    expect(metadataOf(answer)['generation']).toBe(1)
  })

  it.each<[string, JsonObject, string]>([
    [
      'node',
      { nodeName: 'n2' },
      `spec: Forbidden: ${changeable}\n-  nodeName: "n1"\n+  nodeName: "n2"`,
    ],
    [
      'restart policy',
      { restartPolicy: 'Never' },
      `spec: Forbidden: ${changeable}\n-  restartPolicy: "Always"\n+  restartPolicy: "Never"`,
    ],
    [
      'grace',
      { terminationGracePeriodSeconds: 5 },
      `spec: Forbidden: ${changeable}\n-  terminationGracePeriodSeconds: 30\n+  terminationGracePeriodSeconds: 5`,
    ],
    [
      'set of containers',
      { containers: [{ name: 'd', image: 'x' }] },
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ],
    [
      'image to nothing',
      { containers: [{ name: 'c', image: '' }] },
      '[spec.containers[0].image: Required value]',
    ],
    [
      'image to one with blanks',
      { containers: [{ name: 'c', image: ' x' }] },
      'spec.containers[0].image: Invalid value: " x": must not have leading or trailing whitespace',
    ],
    ['priority', { priority: 5 }, `spec: Forbidden: ${changeable}\n-  priority: 0\n+  priority: 5`],
  ])('may not change its %s', async (_, spec, problem) => {
    const { client } = await created()
    const answer = await client.patch(`${pods}/web`, { spec })
    expect(answer.code).toBe(422)
    expect(answer.message).toBe(`Pod "web" is invalid: ${problem.replace(/^\[(.*)\]$/, '$1')}`)
  })

  it('may not lose or change a toleration', async () => {
    const { client } = await created({ tolerations: [{ key: 'a', operator: 'Exists' }] })
    const answer = await client.patch(`${pods}/web`, {
      spec: { tolerations: [{ key: 'b', operator: 'Exists' }] },
    })
    expect(answer.message).toBe(
      'Pod "web" is invalid: spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    )
  })

  it.each<[unknown, string]>([
    [null, 'Invalid value: null: must not update from a positive integer to nil value'],
    [9, 'Invalid value: 9: must be less than or equal to previous value'],
  ])('may not change its deadline to %j', async (activeDeadlineSeconds, problem) => {
    const { client } = await created({ activeDeadlineSeconds: 5 })
    const answer = await client.patch(`${pods}/web`, { spec: { activeDeadlineSeconds } })
    expect(answer.message).toBe(`Pod "web" is invalid: spec.activeDeadlineSeconds: ${problem}`)
  })

  it('may be put without the values from admission', async () => {
    const own = { automountServiceAccountToken: false }
    const { client } = await created(own)
    const given = pod('web', { ...own, serviceAccountName: 'default' })
    const answer = await client.put(`${pods}/web`, given)
    expect([answer.code, answer.message]).toEqual([200, ''])
  })
})

describe('scheduling gates', () => {
  const gates = (...names: readonly string[]): JsonObject => ({
    schedulingGates: names.map((name) => ({ name })),
  })
  const selecting = (...expressions: readonly JsonObject[]): JsonObject => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: expressions }],
      },
    },
  })
  const zone = { key: 'zone', operator: 'Exists' }
  const disk = { key: 'disk', operator: 'In', values: ['ssd'] }
  const terms =
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'

  async function update(from: JsonObject, to: JsonObject) {
    const test = await created({ nodeName: '', ...from })
    const spec = { ...objectAt(test.body, 'spec'), ...to }
    return test.client.put(`${pods}/web`, { ...test.body, spec })
  }

  it('are the reason of the PodScheduled condition of a new pod', async () => {
    const { body } = await created({ nodeName: '', ...gates('a.b/c') })
    expect(objectAt(body, 'status')['conditions']).toEqual([
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ])
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['one of them', gates('a', 'b'), gates('b')],
    ['all of them', gates('a', 'b'), { schedulingGates: [] }],
  ])('may be removed: %s', async (_, from, to) => {
    const answer = await update(from, to)
    expect([answer.code, answer.message, objectAt(answer.body, 'spec')]).toMatchObject([
      200,
      '',
      to,
    ])
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['to a pod with gates', gates('a'), gates('a', 'z')],
    ['to a pod that had none', {}, gates('y', 'z')],
  ])('may not be added %s', async (_, from, to) => {
    const answer = await update(from, to)
    expect(answer.code).toBe(422)
    expect(answer.message).toContain(`only deletion is allowed, but found new scheduling gate 'z'`)
    expect(answer.message).toContain(
      `spec.schedulingGates[1].name: Forbidden: only deletion is allowed`,
    )
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['a label', { nodeSelector: { a: 'b' } }, { nodeSelector: { a: 'b', c: 'd' } }],
    ['an affinity', {}, { affinity: selecting(zone) }],
    ['an expression', { affinity: selecting(zone) }, { affinity: selecting(zone, disk) }],
  ])('allow the pod to narrow its nodes by %s', async (_, from, to) => {
    const answer = await update({ ...gates('a'), ...from }, to)
    expect([answer.code, answer.message]).toEqual([200, ''])
    const ungated = await update(from, to)
    expect(ungated.message).toContain('spec: Forbidden: pod updates may not change fields')
  })

  it.each<[JsonObject, JsonObject, string]>([
    [
      { nodeSelector: { a: 'b' } },
      { nodeSelector: { a: 'c' } },
      'spec.nodeSelector: Invalid value: {"a":"c"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ],
    [
      { affinity: selecting(zone) },
      { affinity: selecting(disk, zone) },
      `${terms}[0]: Invalid value: {"matchExpressions":[{"key":"disk","operator":"In","values":["ssd"]},{"key":"zone","operator":"Exists"}]}: only additions are allowed (no mutations or deletions)`,
    ],
    [
      { affinity: selecting(zone) },
      { affinity: { podAffinity: {} } },
      `${terms}: Invalid value: null: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
    ],
  ])('do not let %j become %j', async (from, to, problem) => {
    const answer = await update({ ...gates('a'), ...from }, to)
    expect([answer.code, answer.message]).toEqual([422, `Pod "web" is invalid: ${problem}`])
  })
})

describe('an annotation that a pod keeps', () => {
  const mirror = 'kubernetes.io/config.mirror'
  const appArmor = 'container.apparmor.security.beta.kubernetes.io/c'

  it.each<[string, JsonObject, unknown, string]>([
    [mirror, {}, 'h', 'may not add mirror pod annotation'],
    [mirror, { [mirror]: 'h' }, 'other', 'may not remove or update mirror pod annotation'],
    [mirror, { [mirror]: 'h' }, null, 'may not remove or update mirror pod annotation'],
    [appArmor, {}, 'unconfined', 'may not add AppArmor annotations'],
    [
      appArmor,
      { [appArmor]: 'runtime/default' },
      'unconfined',
      'may not remove or update AppArmor annotations',
    ],
    [
      appArmor,
      { [appArmor]: 'runtime/default' },
      null,
      'may not remove or update AppArmor annotations',
    ],
  ])('%s of %j cannot become %j', async (key, annotations, value, problem) => {
    const { client } = await created({}, { annotations })
    const answer = await client.patch(`${pods}/web`, {
      metadata: { annotations: { [key]: value } },
    })
    expect(answer.message).toBe(
      `Pod "web" is invalid: metadata.annotations[${key}]: Forbidden: ${problem}`,
    )
  })
})

describe('the status of a pod', () => {
  it('changes labels and status, but not spec and owners', async () => {
    const { client } = await created(
      {},
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }] },
    )
    const answer = await client.patch(`${pods}/web/status`, {
      metadata: {
        labels: { a: 'b' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'm', uid: 'v' }],
      },
      spec: { nodeName: 'n2' },
      status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
    })
    expect(answer.code).toBe(200)
    expect(metadataOf(answer)).toMatchObject({
      labels: { a: 'b' },
      generation: 1,
      ownerReferences: [{ name: 'n' }],
    })
    expect(objectAt(answer.body, 'spec')['nodeName']).toBe('n1')
    expect(answer.body['status']).toEqual({
      phase: 'Running',
      qosClass: 'BestEffort',
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
    })
  })

  it('shows missing times of a condition as null', async () => {
    const { client } = await created()
    const answer = await client.patch(`${pods}/web/status`, {
      status: { conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }] },
    })
    expect(objectAt(answer.body, 'status')['conditions']).toEqual([
      {
        type: 'Ready',
        observedGeneration: 1,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: null,
      },
    ])
  })

  it('shows missing times of a container as null', async () => {
    const { client } = await created()
    const ended = { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } }
    const containerStatuses = [{ name: 'c', state: { running: {} }, lastState: ended }]
    const answer = await client.patch(`${pods}/web/status`, {
      status: { containerStatuses },
    })
    const [shown] = objectsAt(objectAt(answer.body, 'status'), 'containerStatuses')
    expect([shown?.['state'], shown?.['lastState']]).toEqual([
      { running: { startedAt: null } },
      { terminated: { ...ended.terminated, startedAt: null, finishedAt: null } },
    ])
  })

  it('keeps the observed generation of the pod and its conditions', async () => {
    const { client } = await created()
    const conditions = [{ type: 'Ready', status: 'True', observedGeneration: 2 }]
    await client.patch(`${pods}/web/status`, { status: { observedGeneration: 3, conditions } })
    const { body } = await client.put(`${pods}/web/status`, {
      ...pod('web'),
      status: {
        phase: 'Running',
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'New', status: 'True' },
        ],
      },
    })
    const status = objectAt(body, 'status')
    expect(status['observedGeneration']).toBe(3)
    expect(objectsAt(status, 'conditions').map((one) => one['observedGeneration'])).toEqual([
      2,
      undefined,
    ])
  })

  it('may not change the QoS class', async () => {
    const { client } = await created()
    const answer = await client.patch(`${pods}/web/status`, { status: { qosClass: 'Guaranteed' } })
    expect(answer.message).toBe(
      'Pod "web" is invalid: status.qosClass: Invalid value: "Guaranteed": field is immutable',
    )
  })

  it('is complete after a kubelet’s patch', async () => {
    const { client } = await created()
    const first = ['PodReadyToStartContainers', 'Initialized', 'Ready'].map((type) => ({
      type,
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }))
    await client.patch(`${pods}/web/status`, { status: { conditions: first, phase: 'Pending' } })
    const { body } = await client.patch(`${pods}/web/status`, {
      status: {
        $setElementOrder: undefined,
        '$setElementOrder/conditions': first.map(({ type }) => ({ type })),
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:09Z' }],
        phase: 'Running',
        containerStatuses: [{ name: 'c', ready: true, image: 'x' }],
      },
    })
    expect(objectAt(body, 'status')).toEqual({
      phase: 'Running',
      qosClass: 'BestEffort',
      conditions: [
        first[0],
        first[1],
        { ...first[2], status: 'True', lastTransitionTime: '2026-01-01T00:00:09Z' },
      ],
      containerStatuses: [
        {
          name: 'c',
          ready: true,
          restartCount: 0,
          image: 'x',
          imageID: '',
          state: {},
          lastState: {},
        },
      ],
    })
  })

  const ended = (exitCode: number) => ({ name: 'c', state: { terminated: { exitCode } } })
  const running = { name: 'c', state: { running: {} } }

  it.each<[string, JsonObject, 200 | 422]>([
    ['Always', ended(0), 200],
    ['OnFailure', ended(1), 200],
    ['OnFailure', ended(0), 422],
    ['Never', ended(1), 422],
  ])(
    'of restart policy %s: a container %j that runs again is %i',
    async (restartPolicy, before, code) => {
      const { client } = await created({ restartPolicy })
      await client.patch(`${pods}/web/status`, { status: { containerStatuses: [before] } })
      const answer = await client.patch(`${pods}/web/status`, {
        status: { containerStatuses: [running] },
      })
      expect(answer.code).toBe(code)
      if (code === 422) {
        expect(answer.message).toBe(
          'Pod "web" is invalid: status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
        )
      }
    },
  )

  it('allows a sidecar to run again, but no other init container', async () => {
    const { client } = await created({
      restartPolicy: 'Never',
      initContainers: [
        { name: 'i', image: 'x' },
        { name: 's', image: 'x', restartPolicy: 'Always' },
      ],
    })
    const statuses = (state: JsonObject) => ['i', 's'].map((name) => ({ name, state }))
    await client.patch(`${pods}/web/status`, {
      status: { initContainerStatuses: statuses({ terminated: { exitCode: 0 } }) },
    })
    const answer = await client.patch(`${pods}/web/status`, {
      status: { initContainerStatuses: statuses({ running: {} }) },
    })
    expect(answer.message).toBe(
      'Pod "web" is invalid: status.initContainerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    )
  })
})

describe('a new pod', () => {
  it('loses the restart policies of containers other than sidecars', async () => {
    const { body } = await created({
      containers: [{ name: 'c', image: 'x', restartPolicy: 'Never' }],
      initContainers: [
        { name: 'i', image: 'x', restartPolicy: 'Never' },
        { name: 's', image: 'x', restartPolicy: 'Always' },
      ],
    })
    const policies = (list: string) =>
      objectsAt(objectAt(body, 'spec'), list).map((one) => one['restartPolicy'])
    expect([policies('containers'), policies('initContainers')]).toEqual([
      [undefined],
      [undefined, 'Always'],
    ])
  })

  it('gets its QoS class from its resources', async () => {
    const resources = { limits: { cpu: 1, memory: '1Gi' } }
    const { body } = await created({ containers: [{ name: 'c', image: 'x', resources }] })
    expect(objectAt(body, 'status')['qosClass']).toBe('Guaranteed')
  })
})
