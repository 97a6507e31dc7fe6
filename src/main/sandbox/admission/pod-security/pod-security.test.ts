import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../shared/json.ts'
import { namespaces, pod, pods, serverUnderTest } from '../../fake-client.ts'
import { typeOfKind } from '../../registry/resource-types.ts'
import { detailText, violationsOf } from './evaluate.ts'
import { policyOf } from './policy.ts'
import type { Level } from './policy.ts'
import { validatePodSecurity } from './pod-security.ts'

const enforce = 'pod-security.kubernetes.io/enforce'

function checked(level: Level, version: string, spec: JsonObject): string {
  return detailText(violationsOf({ level, version }, { annotations: {}, spec }))
}

// Texts as kube-apiserver v1.34.4 answers them; test/kube compares all checks and versions.
describe('checks of a version', () => {
  it.each<[Level, string, JsonObject, string]>([
    ['privileged', 'latest', { hostNetwork: true }, ''],
    [
      'baseline',
      'v1.0',
      { hostNetwork: true, hostPID: true },
      'host namespaces (hostNetwork=true, hostPID=true)',
    ],
    [
      'baseline',
      'v1.31',
      { securityContext: { seLinuxOptions: { type: 'container_engine_t' } } },
      '',
    ],
    [
      'baseline',
      'v1.30',
      { securityContext: { seLinuxOptions: { type: 'container_engine_t' } } },
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
    ],
    [
      'restricted',
      'v1.7',
      { containers: [{ name: 'c' }] },
      'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    ],
    [
      'restricted',
      'latest',
      {
        os: { name: 'windows' },
        securityContext: { runAsNonRoot: true },
        containers: [{ name: 'c' }],
      },
      '',
    ],
    [
      'restricted',
      'v1.18',
      { volumes: [{ name: 'v', hostPath: {} }], securityContext: { runAsNonRoot: true } },
      'restricted volume types (volume "v" uses restricted volume type "hostPath")',
    ],
  ])('%s:%s of %j', (level, version, spec, expected) => {
    expect(checked(level, version, spec)).toBe(expected)
  })
})

describe('the policy of a namespace', () => {
  it.each<[Record<string, string>, string, string]>([
    [{}, 'privileged:latest', 'privileged:latest'],
    [{ enforce: 'baseline' }, 'baseline:latest', 'baseline:latest'],
    [{ enforce: 'baseline', 'enforce-version': 'v1.9' }, 'baseline:v1.9', 'baseline:v1.9'],
    [{ enforce: 'baseline', 'warn-version': 'v1.9' }, 'baseline:latest', 'baseline:v1.9'],
    [{ enforce: 'restricted', warn: 'privileged' }, 'restricted:latest', 'privileged:latest'],
    [{ enforce: 'strict', 'enforce-version': '1.9' }, 'restricted:latest', 'privileged:latest'],
    [{ enforce: 'baseline', warn: 'strict' }, 'baseline:latest', 'privileged:latest'],
  ])('of the labels %j', (given, enforced, warned) => {
    const labels = Object.entries(given).map(([mode, value]) => [
      `pod-security.kubernetes.io/${mode}`,
      value,
    ])
    const policy = policyOf(Object.fromEntries(labels))
    expect(`${policy.enforce.level}:${policy.enforce.version}`).toBe(enforced)
    expect(`${policy.warn.level}:${policy.warn.version}`).toBe(warned)
  })
})

describe('PodSecurity', () => {
  it('refuses a pod, its generated name included, and the change of an image, but not other changes', async () => {
    const { client } = serverUnderTest()
    const labelled = { metadata: { labels: { [enforce]: 'baseline' } } }
    const shared = { hostPID: true }
    expect((await client.post(pods, pod('before', shared))).code).toBe(201)
    expect((await client.patch(`${namespaces}/default`, labelled)).code).toBe(200)
    const why =
      'is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)'
    expect(await client.post(pods, pod('web', shared))).toMatchObject({
      code: 403,
      message: `pods "web" ${why}`,
    })
    const generated = await client.post(pods, pod('', shared, { generateName: 'web-' }))
    expect(generated.message).toMatch(/^pods "web-\w{5}" is forbidden: violates/)
    const labels = { metadata: { labels: { a: 'b' } } }
    expect((await client.patch(`${pods}/before`, labels)).code).toBe(200)
    const images = { spec: { containers: [{ name: 'c', image: 'x:2' }] } }
    expect((await client.patch(`${pods}/before`, images)).message).toBe(`pods "before" ${why}`)
  })

  it('checks the first 3000 pods when a level changes, one of each controller before the others', () => {
    const type = typeOfKind('Namespace')
    const namespace = (labels: Record<string, string>) => ({
      metadata: { name: 'n', uid: 'u', labels },
    })
    const owned = Array.from({ length: 3000 }, (_, index) => ({
      metadata: {
        name: `owned-${index}`,
        uid: '',
        ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x', controller: true }],
      },
      spec: { hostIPC: true },
    }))
    const alone = { metadata: { name: 'alone', uid: '' }, spec: { hostPID: true } }
    const write = {
      next: namespace({ [enforce]: 'baseline' }),
      old: namespace({}),
      subresource: '',
    }
    const validation = validatePodSecurity(type, write, {
      namespaceNamed: () => undefined,
      podsIn: () => [...owned, alone],
    })
    expect(validation).toEqual({
      refusal: undefined,
      warnings: [
        'new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods',
        'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
        'alone (and 2999 other pods): host namespaces',
      ],
    })
  })
})
