import fc from 'fast-check'
import type { Container, Pod } from '../../../src/shared/kubernetes/objects.ts'

const amounts = fc.constantFrom('0', '100m', '0.1', '1', '1500m', '2', '64Mi', '1Gi', '1500', '1e3')
/** What every node has. */
export const computeNames = ['cpu', 'memory', 'ephemeral-storage']
/** Extended resources of some nodes; the last one is not counted. */
export const scalarNames = [
  'example.com/gpu',
  'hugepages-2Mi',
  'attachable-volumes-x',
  'kubernetes.io/batches',
  'requests.example.com/gpu',
  'gpu',
]

function lists(names: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> {
  return fc.dictionary(fc.constantFrom(...names), amounts, { maxKeys: 3 })
}

function resourcesOf(names: readonly string[]) {
  return fc.record({ requests: lists(names), limits: lists(names) }, { requiredKeys: [] })
}

const hostPorts = fc.record({
  containerPort: fc.constant(80),
  hostPort: fc.constantFrom(0, 80, 81),
  hostIP: fc.constantFrom('', '', '0.0.0.0', '192.0.2.1', '192.0.2.2', '::'),
  protocol: fc.constantFrom('TCP', 'TCP', 'UDP', ''),
})

function containersOf(
  prefix: string,
  names: readonly string[],
  minLength: number,
): fc.Arbitrary<readonly Container[]> {
  const one = fc.record(
    { resources: resourcesOf(names), ports: fc.array(hostPorts, { maxLength: 2 }) },
    { requiredKeys: ['resources'] },
  )
  return fc
    .array(one, { minLength, maxLength: 3 })
    .map((all) => all.map((each, index) => ({ name: `${prefix}${index}`, image: 'i', ...each })))
}

function initContainersOf(names: readonly string[]): fc.Arbitrary<readonly Container[]> {
  return fc
    .tuple(containersOf('i', names, 0), fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }))
    .map(([all, sidecars]) =>
      all.map((each, index): Container =>
        sidecars[index] === true ? { ...each, restartPolicy: 'Always' } : each,
      ),
    )
}

/** Whether a pod may request it at pod level, or the name is invalid. */
function isForPods(name: string): boolean {
  return name === 'hugepages-2Mi' || name === 'gpu'
}

/** Pods that ask for some of these, in containers, in init containers, and as a whole. */
export function podsAsking(names: readonly string[]): fc.Arbitrary<Pod> {
  return fc
    .record({
      containers: containersOf('c', names, 1),
      initContainers: initContainersOf(names),
      overhead: fc.option(lists(['cpu', 'memory']), { nil: undefined, freq: 4 }),
      resources: fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: resourcesOf(['cpu', 'memory', ...names.filter(isForPods)]) },
      ),
    })
    .map(({ overhead, resources, ...spec }) => ({
      metadata: { name: 'p', namespace: 'n', uid: 'u' },
      spec: {
        ...spec,
        ...(overhead === undefined ? {} : { overhead }),
        ...(resources === undefined ? {} : { resources }),
      },
    }))
}

/** Pods that ask for something. */
export const resourcePods: fc.Arbitrary<Pod> = podsAsking([...computeNames, ...scalarNames])
