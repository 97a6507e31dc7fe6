import { describe, expect, it } from 'vitest'
import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { nodes, pod, pods, serverUnderTest } from '../fake-client.ts'

const mirror = { annotations: { 'kubernetes.io/config.mirror': 'h' } }

function outage(name: string): JsonObject {
  return {
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }
}

// Texts as kube-apiserver v1.34.4 answered them.
describe('admission of a new pod', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'gives an ordinary pod account, priority and tolerations',
      {},
      {},
      {
        serviceAccountName: 'default',
        serviceAccount: 'default',
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
        tolerations: [outage('not-ready'), outage('unreachable')],
      },
    ],
    [
      'gives a mirror pod no account',
      {},
      mirror,
      {
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
        tolerations: [outage('not-ready'), outage('unreachable')],
      },
    ],
    [
      'adds nothing to a pod that tolerates everything',
      { tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] },
      mirror,
      {
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
        tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
      },
    ],
    [
      'adds only what is missing',
      { tolerations: [{ ...outage('not-ready'), tolerationSeconds: 5 }] },
      mirror,
      {
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
        tolerations: [{ ...outage('not-ready'), tolerationSeconds: 5 }, outage('unreachable')],
      },
    ],
    [
      'knows the classes of the system',
      { priorityClassName: 'system-node-critical', tolerations: [{ operator: 'Exists' }] },
      mirror,
      {
        priority: 2_000_001_000,
        preemptionPolicy: 'PreemptLowerPriority',
        tolerations: [{ operator: 'Exists' }],
      },
    ],
  ])('%s', async (_, spec, metadata, expected) => {
    const { client } = serverUnderTest()
    const { body, message } = await client.post(pods, pod('web', spec, metadata))
    expect(message).toBe('')
    const { serviceAccountName, serviceAccount, priority, preemptionPolicy, tolerations } =
      objectAt(body, 'spec')
    const account = serviceAccountName === undefined ? {} : { serviceAccountName, serviceAccount }
    expect({ ...account, priority, preemptionPolicy, tolerations }).toEqual(expected)
  })

  it.each<[JsonObject, JsonObject, string]>([
    [
      { serviceAccountName: 'nope' },
      {},
      'error looking up service account default/nope: serviceaccount "nope" not found',
    ],
    [
      { priority: 5 },
      {},
      'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [{ priorityClassName: 'nope' }, {}, 'no PriorityClass with name nope was found'],
    [
      { preemptionPolicy: 'Never' },
      {},
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
    [{ serviceAccountName: 'default' }, mirror, 'a mirror pod may not reference service accounts'],
    [
      { volumes: [{ name: 'v', secret: { secretName: 'x' } }] },
      mirror,
      'a mirror pod may not reference secrets',
    ],
  ])('refuses %j', async (spec, metadata, why) => {
    const { client } = serverUnderTest()
    const answer = await client.post(pods, pod('web', spec, metadata))
    expect([answer.code, answer.message]).toEqual([403, `pods "web" is forbidden: ${why}`])
  })
})

describe('the token of a pod’s service account', () => {
  const own = { name: 'own', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }

  /** The names of the volumes, and of those that each container mounts. */
  async function volumesOf(spec: JsonObject, account: JsonObject = {}) {
    const { client } = serverUnderTest()
    const given = { metadata: { name: 'robot' }, ...account }
    await client.post('/api/v1/namespaces/default/serviceaccounts', given)
    const { body } = await client.post(pods, pod('web', { serviceAccountName: 'robot', ...spec }))
    const stored = objectAt(body, 'spec')
    const names = (object: JsonObject, list: string): readonly string[] =>
      objectsAt(object, list).map((one) => textAt(one, 'name').replace(/-\w{5}$/, '-'))
    const containers = ['initContainers', 'containers'].flatMap((list) => objectsAt(stored, list))
    return [names(stored, 'volumes'), ...containers.map((one) => names(one, 'volumeMounts'))]
  }

  it('is mounted in each container, after what it mounts', async () => {
    const data = { name: 'data', mountPath: '/data' }
    const init = { name: 'i', image: 'x', volumeMounts: [data] }
    expect(
      await volumesOf({ initContainers: [init], volumes: [{ name: 'data', emptyDir: {} }] }),
    ).toEqual([['data', 'kube-api-access-'], ['data', 'kube-api-access-'], ['kube-api-access-']])
  })

  it('is not mounted where something else is, and has no volume if no container needs it', async () => {
    const container = { name: 'c', image: 'x', volumeMounts: [own] }
    const volumes = [{ name: 'own', emptyDir: {} }]
    expect(await volumesOf({ containers: [container], volumes })).toEqual([['own'], ['own']])
  })

  it('is mounted as the pod says, then as its service account says', async () => {
    const no = { automountServiceAccountToken: false }
    const yes = { automountServiceAccountToken: true }
    expect(await volumesOf(no)).toEqual([[], []])
    expect(await volumesOf({}, no)).toEqual([[], []])
    expect(await volumesOf(yes, no)).toEqual([['kube-api-access-'], ['kube-api-access-']])
    expect(await volumesOf(no, yes)).toEqual([[], []])
  })
})

describe('admission of a new node', () => {
  it('has the not-ready taint until it is ready', async () => {
    const { client } = serverUnderTest()
    const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
    const own = { key: 'a', effect: 'NoExecute' }
    const given = { metadata: { name: 'n1' }, spec: { taints: [own] } }
    expect(objectAt((await client.post(nodes, given)).body, 'spec')['taints']).toEqual([own, taint])
    const bare = await client.post(nodes, { metadata: { name: 'n2' }, spec: { taints: [taint] } })
    expect(objectAt(bare.body, 'spec')['taints']).toEqual([taint])
  })
})
