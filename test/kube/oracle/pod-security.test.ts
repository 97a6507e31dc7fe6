import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  detailText,
  reasonText,
  violationsOf,
} from '../../../src/main/sandbox/admission/pod-security/evaluate.ts'
import { validatePodSecurity } from '../../../src/main/sandbox/admission/pod-security/pod-security.ts'
import { typeOfKind } from '../../../src/main/sandbox/registry/resource-types.ts'
import { objectAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { KubeObject } from '../../../src/shared/kubernetes/objects.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'
import { plain } from './plain.ts'
import {
  securedPods,
  securityLabels,
  securityLevels,
  securityVersions,
} from './random-secured-pods.ts'

// What PodSecurity says of pods, of templates of pods and of namespaces: all its checks, levels and versions, and its texts.

const counts: string[] = []
const said = { refused: 0, warned: 0, reasons: new Set<string>() }

interface Write {
  readonly kind: string
  readonly next: JsonObject
  readonly old?: JsonObject
  readonly subresource: string
  readonly labels: Readonly<Record<string, string>>
  readonly pods: readonly JsonObject[]
}

/** Every written object is named x. */
function namespace(labels: Readonly<Record<string, string>>, name = 'x'): JsonObject {
  return { metadata: { name, labels } }
}

function withTemplate(kind: string, template: JsonObject): JsonObject {
  const metadata = { name: 'x', namespace: 'n' }
  if (kind === 'Pod') return template
  if (kind === 'CronJob') return { metadata, spec: { jobTemplate: { spec: { template } } } }
  return { metadata, spec: { template } }
}

const kinds = fc.constantFrom(
  'Pod',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
)

const creations: fc.Arbitrary<Write> = fc
  .tuple(kinds, securedPods, securityLabels)
  .map(([kind, pod, labels]) => ({
    kind,
    next: withTemplate(kind, pod),
    subresource: '',
    labels,
    pods: [],
  }))

/** The pod with another image or without one of its containers. */
function changed(pod: JsonObject, change: string): JsonObject {
  const spec = objectAt(pod, 'spec')
  const [list, act] = change.split(' ')
  const [first, ...others] = (spec[list ?? ''] ?? []) as readonly JsonObject[]
  if (first === undefined) return pod
  const left = act === 'removed' ? others : [{ ...first, [act ?? '']: 'k' }, ...others]
  return { ...pod, spec: { ...spec, [list ?? '']: left } }
}

const changes = fc.constantFrom(
  'containers image',
  'containers terminationMessagePath',
  'containers removed',
  'initContainers image',
  'initContainers removed',
  'ephemeralContainers image',
  'ephemeralContainers name',
  'ephemeralContainers removed',
)

const updates: fc.Arbitrary<Write> = fc
  .record({
    kind: kinds,
    pod: securedPods,
    labels: securityLabels,
    change: changes,
    isBack: fc.boolean(),
    subresource: fc.constantFrom('', '', 'status', 'resize', 'ephemeralcontainers'),
  })
  .map(({ kind, pod, labels, change, isBack, subresource }) => {
    const other = changed(pod, change)
    const [next, old] = isBack ? [pod, other] : [other, pod]
    return {
      kind,
      next: withTemplate(kind, next),
      old: withTemplate(kind, old),
      subresource,
      labels,
      pods: [],
    }
  })

const existingPods = fc.array(
  fc.record({
    pod: securedPods,
    name: fc.constantFrom('b', 'a', 'c'),
    copies: fc.integer({ min: 1, max: 3 }),
    owner: fc.constantFrom('', 'u', 'v'),
  }),
  { maxLength: 4 },
)

const namespaces: fc.Arbitrary<Write> = fc
  .record({
    next: securityLabels,
    old: fc.option(securityLabels, { nil: undefined, freq: 5 }),
    existing: existingPods,
    subresource: fc.constantFrom('', '', '', 'status'),
  })
  .map(({ next, old, existing, subresource }) => ({
    kind: 'Namespace',
    next: namespace(next),
    ...(old === undefined ? {} : { old: namespace(old) }),
    subresource,
    labels: {},
    pods: existing.flatMap(({ pod, name, copies, owner }, index) =>
      Array.from({ length: copies }, (_, copy) => ({
        ...pod,
        metadata: {
          ...objectAt(pod, 'metadata'),
          name: `${name}${index}${copy}`,
          ...(owner === ''
            ? {}
            : { ownerReferences: [{ uid: owner, name: owner, controller: true }] }),
        },
      })),
    ),
  }))

/** Random objects have the form of those that the server decodes. */
const asObject = (value: JsonObject): KubeObject => value as unknown as KubeObject

function ours({ kind, next, old, subresource, labels, pods }: Write): unknown {
  const write = {
    next: asObject(next),
    old: old === undefined ? undefined : asObject(old),
    subresource,
  }
  const { refusal, warnings } = validatePodSecurity(typeOfKind(kind), write, {
    namespaceNamed: () => asObject(namespace(labels, 'n')),
    podsIn: () => pods.map(asObject),
  })
  if (refusal !== undefined) said.refused++
  if (warnings.length > 0) said.warned++
  // Go's has kind and version only once it is written.
  const { kind: _kind, apiVersion: _version, ...status } = refusal ?? {}
  return plain({ warnings, refusal: status })
}

function asked({ kind, next, old, subresource, labels, pods }: Write): unknown {
  const { group, plural } = typeOfKind(kind)
  return { group, kind, plural, subresource, next, old, namespace: namespace(labels, 'n'), pods }
}

await describeOracle(
  {
    name: 'pod security',
    subject: 'podSecurity',
    title: 'PodSecurity, compared with k8s.io/pod-security-admission',
    summary: () =>
      `${counts.join(', ')}; ${said.refused.toLocaleString('en')} refused, ${said.warned.toLocaleString('en')} warned`,
  },
  (oracle) => {
    const compares = functionComparisons(oracle, counts)

    compares('violations', {
      ask: 'violations',
      values: fc.record({ level: securityLevels, version: securityVersions, pod: securedPods }),
      ours: ({ level, version, pod }) => {
        const violations = violationsOf(
          { level, version },
          {
            annotations: objectAt(objectAt(pod, 'metadata'), 'annotations'),
            spec: objectAt(pod, 'spec'),
          },
        )
        for (const { reason } of violations) said.reasons.add(reason)
        return { reason: reasonText(violations), detail: detailText(violations) }
      },
      count: 2000,
    })

    for (const [title, values] of [
      ['new pods and templates', creations],
      ['updates of pods and templates', updates],
      ['namespaces', namespaces],
    ] as const)
      compares(title, { ask: 'validate', values, asked, ours, theirs: plain, count: 1000 })

    it('included refusals and warnings, and every check', () => {
      // One reason is in the singular and the plural; those of one kind of both levels are the same.
      expect(said.reasons.size).toBe(18)
      expect(said.refused).toBeGreaterThan(400)
      expect(said.warned).toBeGreaterThan(500)
    })
  },
)
