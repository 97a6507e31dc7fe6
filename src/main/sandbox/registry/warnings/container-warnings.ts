import {
  equalJson,
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { appArmorAnnotationPrefix } from '../../../../shared/kubernetes/pod-containers.ts'
import { fractionWarnings } from './quantity-warnings.ts'

/** A container, and its field in the pod: `spec.containers[0]`. */
export interface PlacedContainer {
  readonly container: JsonObject
  readonly field: string
}

/** Init containers, then containers, then ephemeral ones. Source: pkg/apis/core/pods VisitContainersWithPath. */
export function placedContainers(spec: JsonObject, field: string): readonly PlacedContainer[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsAt(spec, list).map((container, index) => ({
      container,
      field: `${field}.${list}[${index}]`,
    })),
  )
}

function appArmorOf(annotation: string): JsonObject | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  const [, localhostProfile = ''] = /^localhost\/(.+)$/.exec(annotation) ?? []
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile }
}

function profileWarnings(
  { container }: PlacedContainer,
  pod: { readonly spec: JsonObject; readonly annotations: JsonObject },
  field: string,
): readonly string[] {
  const name = textAt(container, 'name')
  const own = objectAt(container, 'securityContext')
  const seccomp = `container.seccomp.security.alpha.kubernetes.io/${name}`
  const isOldSeccomp = own['seccompProfile'] === undefined && seccomp in pod.annotations
  const appArmor = `${appArmorAnnotationPrefix}${name}`
  const annotation = pod.annotations[appArmor]
  const ofPod = objectAt(pod.spec, 'securityContext')['appArmorProfile']
  const isOldAppArmor =
    typeof annotation === 'string' &&
    own['appArmorProfile'] === undefined &&
    (ofPod === undefined || !equalJson(ofPod, appArmorOf(annotation)))
  return [
    ...(isOldSeccomp
      ? [`${field}[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`]
      : []),
    ...(isOldAppArmor
      ? [`${field}[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`]
      : []),
  ]
}

/** A later definition of a variable that does not use the earlier one hides it. */
function environmentWarnings({ container, field }: PlacedContainer): readonly string[] {
  const seen = new Set<string>()
  return objectsAt(container, 'env').flatMap((variable, index) => {
    const name = textAt(variable, 'name')
    const value = textAt(variable, 'value')
    const reference = `$(${name})`
    const isBad =
      isJsonObject(variable['valueFrom']) || value === reference || !value.includes(reference)
    const isRepeated = seen.has(name)
    seen.add(name)
    if (!isRepeated || !isBad) return []
    const shown = JSON.stringify(name)
    return [
      `${field}.env[${index}]: hides previous definition of ${shown}, which may be dropped when using apply`,
    ]
  })
}

const bytes = ['memory', 'ephemeral-storage']

/** Warnings about each container by itself. `metaField`: `metadata.annotations` of the pod. */
export function containerWarnings(
  containers: readonly PlacedContainer[],
  pod: { readonly spec: JsonObject; readonly annotations: JsonObject },
  metaField: string,
): readonly string[] {
  return containers.flatMap((placed) => [
    ...profileWarnings(placed, pod, metaField),
    ...fractionWarnings(
      objectAt(placed.container, 'resources'),
      `${placed.field}.resources`,
      bytes,
      ['limits', 'requests'],
    ),
    ...environmentWarnings(placed),
  ])
}

interface PlacedPort {
  readonly port: JsonObject
  readonly field: string
}

function portsOf(containers: readonly PlacedContainer[]): readonly PlacedPort[] {
  return containers.flatMap(({ container, field }) =>
    objectsAt(container, 'ports').map((port, index) => ({
      port,
      field: `${field}.ports[${index}]`,
    })),
  )
}

/** As Go prints the struct. */
function goPort(port: JsonObject): string {
  const number = (name: string): number => numberAt(port, name) ?? 0
  return `{Name:${textAt(port, 'name')} HostPort:${number('hostPort')} ContainerPort:${number('containerPort')} Protocol:${textAt(port, 'protocol')} HostIP:${textAt(port, 'hostIP')}}`
}

function portKey(port: JsonObject): string {
  return `${numberAt(port, 'containerPort') ?? 0}/${textAt(port, 'protocol')}`
}

function portClash(one: JsonObject, other: JsonObject): string | undefined {
  const [ip, otherIp] = [textAt(one, 'hostIP'), textAt(other, 'hostIP')]
  const [port, otherPort] = [numberAt(one, 'hostPort') ?? 0, numberAt(other, 'hostPort') ?? 0]
  if (ip === otherIp && port === otherPort) return 'duplicate'
  if (port === 0 || otherPort === 0) return 'overlapping'
  return port === otherPort && (ip === '') !== (otherIp === '')
    ? 'dangerously ambiguous'
    : undefined
}

function portNameWarnings(ports: readonly PlacedPort[]): readonly string[] {
  const first = new Map<string, string>()
  return ports.flatMap(({ port, field }) => {
    const name = textAt(port, 'name')
    const other = first.get(name)
    if (name !== '' && other === undefined) first.set(name, field)
    if (name === '' || other === undefined) return []
    return [
      `${field}: duplicate port name ${JSON.stringify(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ]
  })
}

/** Warnings about the ports of all containers. */
export function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const ports = portsOf(containers)
  const clashes = ports.flatMap(({ port, field }, index) => {
    const isLoose = textAt(port, 'hostIP') !== '' && (numberAt(port, 'hostPort') ?? 0) === 0
    const earlier = ports.slice(0, index).filter((other) => portKey(other.port) === portKey(port))
    return [
      ...(isLoose ? [`${field}: hostIP set without hostPort: ${goPort(port)}`] : []),
      ...earlier.flatMap((other) => {
        const clash = portClash(port, other.port)
        return clash === undefined ? [] : [`${field}: ${clash} port definition with ${other.field}`]
      }),
    ]
  })
  return [...clashes, ...portNameWarnings(ports)]
}
