import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import {
  buildPodFullName,
  fullNameOf,
  isCriticalPod,
  isMirrorPod,
  isNodeCriticalPod,
  isPreemptable,
  isStaticPod,
  parsePodFullName,
  podSource,
} from '../../../src/main/kubelet/pod/identity.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { mirrorAnswer, mirrorCalls } from './mirror-calls.ts'
import { answerOf, oracleParameters } from './driving.ts'
import { Refusal, type Oracle } from './oracle.ts'
import { describeOracle } from './oracle-suite.ts'

const compared = { operations: 0, identities: 0, mirrorCalls: 0 }

const uids = ['u1', 'u2', 'u3', 'u4', 'u5']
const names = ['a', 'b']
const namespaces = ['default', 'kube-system']
const fullNames = names.flatMap((name) =>
  namespaces.map((namespace) => buildPodFullName(name, namespace)),
)
const asked = { uids: ['', 'nobody', ...uids], fullNames }

const annotations = fc.record(
  {
    'kubernetes.io/config.source': fc.constantFrom('api', 'file', 'http'),
    'kubernetes.io/config.mirror': fc.constantFrom('', 'u1', 'u2', 'h'),
    'kubernetes.io/config.hash': fc.constantFrom('', 'u1', 'u2', 'h'),
  },
  { requiredKeys: [] },
)

const pods: fc.Arbitrary<Pod> = fc
  .record({
    uid: fc.constantFrom(...uids),
    name: fc.constantFrom(...names),
    namespace: fc.constantFrom(...namespaces),
    annotations: fc.option(annotations, { nil: undefined }),
    priority: fc.constantFrom(undefined, 0, 7, 2_000_000_000, 2_000_001_000),
    priorityClassName: fc.constantFrom(undefined, 'high', 'system-node-critical'),
    debuggers: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ uid, name, namespace, priority, priorityClassName, debuggers, ...rest }) => ({
    metadata: {
      uid,
      name,
      namespace,
      ...(rest.annotations === undefined ? {} : { annotations: rest.annotations }),
    },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      ...(priority === undefined ? {} : { priority }),
      ...(priorityClassName === undefined ? {} : { priorityClassName }),
      ...(debuggers === 0
        ? {}
        : {
            ephemeralContainers: Array.from({ length: debuggers }, (_, n) => ({ name: `d${n}` })),
          }),
    },
  }))

interface Operation {
  readonly kind: 'add' | 'update' | 'remove' | 'set'
  readonly pods: readonly Pod[]
}

const onePod = pods.map((pod) => [pod])
const operations: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({ kind: fc.constantFrom('add', 'update', 'remove'), pods: onePod }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('set'), pods: fc.array(pods, { maxLength: 4 }) }),
  },
)

/** Each pod of a sequence gets a version of its own, by which the answers name it. */
const sequences = fc.array(operations, { minLength: 1, maxLength: 60, size: 'max' }).map((all) =>
  all.map((operation, at) => ({
    ...operation,
    pods: operation.pods.map((pod, index) => ({
      ...pod,
      metadata: { ...pod.metadata, resourceVersion: `${at}.${index}` },
    })),
  })),
)

function operate(manager: PodManager, { kind, pods: given }: Operation): void {
  if (kind === 'set') {
    manager.setPods(given, [])
    return
  }
  for (const pod of given) {
    if (kind === 'add') manager.addPod(pod, [])
    else if (kind === 'update') manager.updatePod(pod, [])
    else manager.removePod(pod, [])
  }
}

const version = (pod: Pod | undefined): string => pod?.metadata.resourceVersion ?? ''
const versions = (all: readonly Pod[]): readonly string[] => all.map(version).toSorted()

function answersOf(manager: PodManager, of: readonly Pod[]) {
  const everything = manager.getPodsAndMirrorPods()
  const { podToMirror, mirrorToPod } = manager.getUIDTranslations()
  return {
    pods: versions(manager.getPods()),
    allPods: versions(everything.allPods),
    allMirrorPods: versions(everything.allMirrorPods),
    orphans: everything.orphanedMirrorPodFullNames.toSorted(),
    byUID: asked.uids.map((uid) => version(manager.getPodByUID(uid))),
    byFullName: fullNames.map((fullName) => version(manager.getPodByFullName(fullName))),
    byName: names.flatMap((name) =>
      namespaces.map((namespace) => version(manager.getPodByName(namespace, name))),
    ),
    mirrorOf: of.map((pod) => version(manager.getMirrorPodByPod(pod))),
    podOf: of.map((pod) => version(manager.getPodByMirrorPod(pod))),
    pairs: of.map((pod) => {
      const pair = manager.getPodAndMirrorPod(pod)
      return { ...pair, pod: version(pair.pod), mirrorPod: version(pair.mirrorPod) }
    }),
    isMirrorOf: of.map((pod) => of.map((other) => manager.isMirrorPodOf(pod, other))),
    translated: asked.uids.map((uid) => manager.translatePodUID(uid)),
    podToMirror: Object.fromEntries(podToMirror),
    mirrorToPod: Object.fromEntries(mirrorToPod),
    staticToMirror: Object.fromEntries(
      [...manager.getStaticPodToMirrorPodMap()].map(([pod, mirror]) => [
        version(pod),
        version(mirror),
      ]),
    ),
    ephemeral: manager.managedEphemeralContainers,
  }
}

type Answers = ReturnType<typeof answersOf>

/**
 * Two mirrors may be linked to one pod; which of them `podToMirror` then names is left to the order of a Go
 * map. Ours names the one that was linked last. Both are among the linked ones.
 */
function withoutMapOrder(answers: Answers): Answers {
  const links = Object.entries(answers.mirrorToPod)
  const podToMirror = Object.entries(answers.podToMirror).map(([uid, mirror]) => {
    const linked = links.flatMap(([mirrorUid, of]) => (of === uid ? [mirrorUid] : [])).toSorted()
    return [uid, linked.some((one) => one === mirror) ? linked.join(' or ') : mirror]
  })
  return { ...answers, podToMirror: Object.fromEntries(podToMirror) }
}

async function compareSequence(oracle: Oracle, sequence: readonly Operation[]): Promise<void> {
  const manager = new PodManager({ trace: new FakeTrace() })
  const ours: unknown[] = []
  const theirs: Promise<unknown>[] = [oracle.ask('new')]
  const given: Pod[] = []
  for (const operation of sequence) {
    operate(manager, operation)
    given.push(...operation.pods)
    const recent = given.slice(-6)
    ours.push(withoutMapOrder(answersOf(manager, recent)))
    theirs.push(oracle.ask('operation', { ...operation, ...asked, asked: recent }))
  }
  const [, ...answers] = await Promise.all(theirs)
  // The answers of overlay/nodescope/oracle/pod_manager.go, nil slices as null.
  const told = answers.map((answer) => withoutMapOrder(withEmptyLists(answer)))
  for (const [at, operation] of sequence.entries()) {
    expect(ours[at], `after operation ${at}: ${operation.kind}`).toEqual(told[at])
  }
  compared.operations += sequence.length
}

function withEmptyLists(answer: unknown): Answers {
  const entries = Object.entries(answer as Answers).map(([key, value]) => [key, value ?? []])
  return Object.fromEntries(entries) as Answers
}

function identitiesOf(all: readonly Pod[]) {
  return all.map((pod) => ({
    fullName: fullNameOf(pod),
    source: podSource(pod),
    isStatic: isStaticPod(pod),
    isMirror: isMirrorPod(pod),
    isCritical: isCriticalPod(pod),
    isNodeCritical: isNodeCriticalPod(pod),
    preempts: all.map((other) => isPreemptable(pod, other)),
  }))
}

await describeOracle(
  {
    name: 'pod manager',
    subject: 'podManager',
    title: 'the pod manager, compared with the kubelet’s',
    summary: () => {
      const { operations, identities, mirrorCalls: calls } = compared
      return `every method after each of ${operations} operations, ${calls} calls of the mirror client, ${identities} pods told apart`
    },
  },
  (oracle) => {
    it('returns the same results after every operation', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(sequences, (sequence) => compareSequence(oracle, sequence)),
        oracleParameters(400),
      )
      expect(compared.operations).toBeGreaterThan(10_000)
    })

    it('identifies pods the same', { timeout: 60_000 }, async () => {
      const some = fc.array(pods, { minLength: 1, maxLength: 6 })
      await fc.assert(
        fc.asyncProperty(some, async (all) => {
          const told = await oracle.ask('identity', all)
          expect(identitiesOf(all)).toMatchObject(told as object)
          compared.identities += all.length
        }),
        oracleParameters(500),
      )
    })

    it('splits full names', { timeout: 60_000 }, async () => {
      const texts = fc.array(fc.constantFrom('a', 'b-c', '_', '.'), { maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(texts, async (parts) => {
          const text = parts.join('')
          const ours = parsePodFullName(text)
          const told = await answerOf(oracle.ask('fullName', text))
          expect(ours.ok ? ours.value : 'refused').toEqual(
            told instanceof Refusal ? 'refused' : told,
          )
        }),
        oracleParameters(300),
      )
    })

    it('creates and deletes mirror pods with the same calls', { timeout: 60_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(mirrorCalls(pods), async (call) => {
          const [ours, told] = await Promise.all([mirrorAnswer(call), oracle.ask(call.ask, call)])
          expect(ours).toEqual(told)
          compared.mirrorCalls++
        }),
        oracleParameters(1500),
      )
    })
  },
)
