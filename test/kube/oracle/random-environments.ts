import fc from 'fast-check'
import { makeEnvironmentVariables } from '../../../src/main/kubelet/environment/environment.ts'
import { commandOf } from '../../../src/main/kubelet/kuberuntime/container-config.ts'
import { configSourceAnnotation } from '../../../src/main/kubelet/pod/identity.ts'
import type {
  ConfigMap,
  Container,
  Pod,
  Secret,
  Service,
} from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'

/** The first container of a pod, and what its environment is made of. */
interface StartingContainer {
  readonly pod: Pod
  readonly podIPs: readonly string[]
  readonly hostIPs: readonly string[]
  readonly allocatable: Readonly<Record<string, string>>
  readonly synced: boolean
  readonly configMaps: readonly ConfigMap[]
  readonly secrets: readonly Secret[]
  readonly services: readonly Service[]
}

const namespaces = fc.constantFrom('default', 'n', 'n')
const names = fc.constantFrom('A', 'B', 'C_D', 'KUBERNETES_SERVICE_HOST', 'WEB_A_PORT', 'x.y', '-')
const objectNames = fc.constantFrom('one', 'two', '')
const expressions = fc
  .array(
    fc.oneof(
      fc.constantFrom('$', '$$', '$(', ')', '$()', '$(A', 'é', 'text', ' '),
      names.map((name) => `$(${name})`),
      names.map((name) => `$$(${name})`),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''))
const texts = fc.oneof(expressions, fc.string({ unit: 'grapheme', maxLength: 6 }))

const optional = fc.record(
  { name: objectNames, optional: fc.boolean() },
  { requiredKeys: ['name'] },
)
const keyed = fc.tuple(optional, names).map(([reference, key]) => ({ ...reference, key }))

const fieldPaths = fc.constantFrom(
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.labels',
  'metadata.annotations',
  "metadata.labels['a/b']",
  "metadata.labels['A']",
  "metadata.labels['none']",
  "metadata.labels['']",
  "metadata.labels['-']",
  "metadata.annotations['A/B']",
  "metadata.annotations['not a key']",
  "spec.nodeName['x']",
  'spec.nodeName',
  'spec.host',
  'spec.serviceAccountName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
  'status.podIP',
  'status.podIPs',
  'status.hostIP',
  'status.hostIPs',
  'spec',
  '',
)

const resources = fc
  .tuple(
    fc.constantFrom('limits', 'requests', 'other'),
    fc.constantFrom('cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'gpu'),
  )
  .map((parts) => parts.join('.'))
const quantities = fc.constantFrom('0', '1', '100m', '1500m', '2', '1Gi', '3Mi', '2100Ki', '1e3')
const resourceLists = fc.dictionary(
  fc.constantFrom('cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'gpu'),
  quantities,
  { maxKeys: 4 },
)

const sources = fc.oneof(
  fc.record({
    fieldRef: fc.record({
      apiVersion: fc.constantFrom('v1', 'v1', 'v1', 'v1', 'v2'),
      fieldPath: fieldPaths,
    }),
  }),
  fc.record({
    resourceFieldRef: fc.record(
      {
        resource: resources,
        containerName: fc.constantFrom('', 'c', 'd', 'i', 'none'),
        divisor: fc.constantFrom('0', '1', '1m', '1k', '1Ki', '1Mi'),
      },
      { requiredKeys: ['resource'] },
    ),
  }),
  fc.record({ configMapKeyRef: keyed }),
  fc.record({ secretKeyRef: keyed }),
  fc.record({ fileKeyRef: fc.record({ volumeName: names, path: names, key: names }) }),
  fc.constant({}),
)

const variables = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: names, value: expressions }) },
  { weight: 3, arbitrary: fc.record({ name: names, valueFrom: sources }) },
)
const environmentSources = fc
  .tuple(
    fc.constantFrom('', '', 'P_', '$(A)'),
    fc.oneof(
      fc.record({ configMapRef: optional }),
      fc.record({ secretRef: optional }),
      fc.constant({}),
    ),
  )
  .map(([prefix, source]) => ({ ...source, ...(prefix === '' ? {} : { prefix }) }))

const containerResources = fc.record(
  { limits: resourceLists, requests: resourceLists },
  { requiredKeys: [] },
)

function containers(name: string): fc.Arbitrary<Container> {
  return fc.record({
    name: fc.constant(name),
    env: fc.array(variables, { maxLength: 4 }),
    envFrom: fc.array(environmentSources, { maxLength: 2 }),
    command: fc.array(texts, { maxLength: 2 }),
    args: fc.array(texts, { maxLength: 2 }),
    resources: containerResources,
  })
}

const pods: fc.Arbitrary<Pod> = fc
  .record({
    namespace: namespaces,
    source: fc.constantFrom('api', 'api', 'file'),
    first: containers('c'),
    second: containers('d'),
    init: containers('i'),
    labels: fc.dictionary(fc.constantFrom('a/b', 'A', 'c'), texts, { maxKeys: 3 }),
    annotations: fc.dictionary(fc.constantFrom('a/b', 'A/B', 'c'), texts, { maxKeys: 3 }),
    limits: fc.option(resourceLists),
    links: fc.constantFrom(true, true, false, false, undefined),
  })
  .map(({ namespace, source, first, second, init, labels, annotations, limits, links }) => ({
    metadata: {
      name: 'p',
      namespace,
      uid: 'u',
      labels,
      annotations: { ...annotations, [configSourceAnnotation]: source },
    },
    spec: {
      containers: [first, second],
      initContainers: [init],
      nodeName: 'node',
      serviceAccountName: 'robot',
      ...(limits === null ? {} : { resources: { limits } }),
      ...(links === undefined ? {} : { enableServiceLinks: links }),
    },
  }))

/** Of each namespace and name at most one. */
function distinct<
  T extends { readonly metadata: { readonly namespace?: string; readonly name: string } },
>(objects: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> {
  const selector = ({ metadata }: T): string => `${metadata.namespace ?? ''}/${metadata.name}`
  return fc.uniqueArray(objects, { maxLength: 4, selector })
}

function metadataOf(nameArbitrary: fc.Arbitrary<string>) {
  return fc.record({ namespace: namespaces, name: nameArbitrary, uid: fc.constant('o') })
}

const data = fc.dictionary(names, texts, { maxKeys: 3 })
const presentNames = fc.constantFrom('one', 'two')
const services: fc.Arbitrary<Service> = fc.record({
  metadata: metadataOf(fc.constantFrom('kubernetes', 'web-a', 'web-b')),
  spec: fc.record({
    clusterIP: fc.constantFrom('', 'None', '10.96.0.1', '10.96.0.7', 'fd00::7'),
    ports: fc.array(
      fc.record(
        {
          name: fc.constantFrom('', 'http', 'http-alt'),
          port: fc.constantFrom(80, 443, 53),
          protocol: fc.constantFrom('', 'TCP', 'UDP', 'SCTP'),
        },
        { requiredKeys: ['port'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
})

/** For the oracle as it is. */
export const startingContainers: fc.Arbitrary<StartingContainer> = fc.record({
  pod: pods,
  podIPs: fc.constantFrom([], ['10.0.0.1'], ['fd01::1', '10.0.0.1'], ['10.0.0.1', 'fd01::1']),
  hostIPs: fc.constantFrom(
    ['192.0.2.1'],
    ['fd02::1'],
    ['192.0.2.1', 'fd02::1'],
    ['fd02::1', '192.0.2.1'],
  ),
  allocatable: resourceLists,
  synced: fc.constantFrom(true, true, true, false),
  configMaps: distinct(fc.record({ metadata: metadataOf(presentNames), data })),
  secrets: distinct(
    fc.record({ metadata: metadataOf(presentNames), data }).map(({ metadata, data: texts64 }) => ({
      metadata,
      data: Object.fromEntries(
        Object.entries(texts64).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
      ),
    })),
  ),
  services: distinct(services),
})

function getFrom<
  T extends { readonly metadata: { readonly namespace?: string; readonly name: string } },
>(objects: readonly T[], kind: string) {
  return (namespace: string, name: string) => {
    const found = objects.find(
      ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
    )
    const missing = { kind: 'not-found', message: `${kind} "${name}" not found` } as const
    return Promise.resolve(found === undefined ? err(missing) : ok(found))
  }
}

/** In the form of the oracle's answer. */
export async function environmentOf(given: StartingContainer): Promise<unknown> {
  const { pod, podIPs } = given
  const [container] = pod.spec.containers
  if (container === undefined) throw new Error('a pod without a container')
  const made = await makeEnvironmentVariables(
    { pod, container, podIPs },
    {
      configMapManager: { getConfigMap: getFrom(given.configMaps, 'configmap') },
      secretManager: { getSecret: getFrom(given.secrets, 'secret') },
      serviceLister: { list: () => given.services, hasSynced: () => given.synced },
      allocatable: () => given.allocatable,
      hostIPs: () => given.hostIPs,
    },
  )
  if (!made.ok) return { error: made.error }
  const command = commandOf(
    container,
    [...made.value].map(([key, value]) => ({ key, value })),
  )
  if (!command.ok) return { error: command.error }
  const { size } = made.value
  return { envs: Object.fromEntries(made.value), variables: size, ...command.value }
}
