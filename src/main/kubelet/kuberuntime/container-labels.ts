/** What the kubelet writes on sandboxes and containers, to know them again after a restart (kubelet labels.go). */
import { goJson } from '../../../shared/go/json.ts'
import { defined } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { podNamespace } from '../pod/identity.ts'
import type { RuntimeContainer } from '../ports.ts'
import { hashContainer } from './container-hash.ts'

/** Labels that name the pod and the container. */
export const podNameLabel = 'io.kubernetes.pod.name'
export const podNamespaceLabel = 'io.kubernetes.pod.namespace'
export const podUidLabel = 'io.kubernetes.pod.uid'
const containerNameLabel = 'io.kubernetes.container.name'

const hashAnnotation = 'io.kubernetes.container.hash'
const restartCountAnnotation = 'io.kubernetes.container.restartCount'
export const messagePathAnnotation = 'io.kubernetes.container.terminationMessagePath'
export const messagePolicyAnnotation = 'io.kubernetes.container.terminationMessagePolicy'
const preStopAnnotation = 'io.kubernetes.container.preStopHandler'
export const portsAnnotation = 'io.kubernetes.container.ports'
const deletionGraceAnnotation = 'io.kubernetes.pod.deletionGracePeriod'
const terminationGraceAnnotation = 'io.kubernetes.pod.terminationGracePeriod'

type Texts = Readonly<Record<string, string>>

/** The pod's own labels, and the three that name it. */
export function sandboxLabels(pod: Pod): Texts {
  // Assigned, not spread: a spread with names after it gives every object a shape of its own.
  return Object.assign({}, pod.metadata.labels, podLabels(pod))
}

function podLabels(pod: Pod): Texts {
  return {
    [podNameLabel]: pod.metadata.name,
    [podNamespaceLabel]: podNamespace(pod),
    [podUidLabel]: pod.metadata.uid,
  }
}

/** Labels of a container: its pod and its name. */
export function containerLabels(pod: Pod, container: Container): Texts {
  return Object.assign(podLabels(pod), { [containerNameLabel]: container.name })
}

/** Annotations of a container: what is needed to kill it without its pod's spec, its hash and its restart count. */
export function containerAnnotations(pod: Pod, container: Container, restartCount: number): Texts {
  const { deletionGracePeriodSeconds } = pod.metadata
  const { terminationGracePeriodSeconds } = pod.spec
  const preStop = preStopOf(container)
  const { ports = [] } = container
  return {
    [hashAnnotation]: hashContainer(container),
    [restartCountAnnotation]: String(restartCount),
    [messagePathAnnotation]: container.terminationMessagePath ?? '',
    [messagePolicyAnnotation]: container.terminationMessagePolicy ?? '',
    ...defined({
      [deletionGraceAnnotation]: deletionGracePeriodSeconds?.toString(),
      [terminationGraceAnnotation]: terminationGracePeriodSeconds?.toString(),
      [preStopAnnotation]: preStop === undefined ? undefined : goJson(preStop),
      [portsAnnotation]: ports.length === 0 ? undefined : portsText(ports),
    }),
  }
}

/** One text for all containers whose ports are the same list: pods of one template have them in common. */
const portsTexts = new WeakMap<object, string>()

function portsText(ports: NonNullable<Container['ports']>): string {
  const text = portsTexts.get(ports) ?? goJson(ports)
  portsTexts.set(ports, text)
  return text
}

function preStopOf(container: Container): unknown {
  const { lifecycle } = container
  return typeof lifecycle === 'object' && lifecycle !== null && 'preStop' in lifecycle
    ? lifecycle.preStop
    : undefined
}

/** How often a container of this name was started before this one; the runtime's attempt where the annotation is missing. */
export function restartCountOf(container: RuntimeContainer): number {
  const count = Number.parseInt(container.annotations[restartCountAnnotation] ?? '', 10)
  return Number.isNaN(count) ? container.attempt : count
}

/** Whether a container was made from another name or image than the spec has now (containers#pod-actions). One without a hash counts as unchanged. */
export function hasDefinitionChanged(spec: Container, container: RuntimeContainer): boolean {
  const hash = container.annotations[hashAnnotation]
  return hash !== undefined && hash !== hashContainer(spec)
}

/** The uid of the pod that a container belongs to; empty for one that the kubelet did not make. */
export function podUidOf(container: RuntimeContainer): string {
  return container.labels[podUidLabel] ?? ''
}

/**
 * As much of pod and container as killing needs, from what was written on the container: for one whose
 * pod is no longer known (kubelet restoreSpecsFromContainerLabels). The pod has no containers.
 */
export function restoreSpecsFromContainerLabels(container: RuntimeContainer): {
  readonly pod: Pod
  readonly spec: Container
} {
  const { labels, annotations } = container
  const deletionGracePeriodSeconds = numberOf(annotations[deletionGraceAnnotation])
  const terminationGracePeriodSeconds = numberOf(annotations[terminationGraceAnnotation])
  const preStop = annotations[preStopAnnotation]
  const pod: Pod = {
    metadata: {
      uid: podUidOf(container),
      name: labels[podNameLabel] ?? '',
      namespace: labels[podNamespaceLabel] ?? '',
      ...defined({ deletionGracePeriodSeconds }),
    },
    spec: { containers: [], ...defined({ terminationGracePeriodSeconds }) },
  }
  const spec: Container = {
    name: labels[containerNameLabel] ?? container.name,
    ...(preStop === undefined ? {} : { lifecycle: { preStop: parsed(preStop) } }),
  }
  return { pod, spec }
}

function numberOf(text: string | undefined): number | undefined {
  const value = Number.parseInt(text ?? '', 10)
  return Number.isNaN(value) ? undefined : value
}

/** Undefined for invalid JSON: a foreign annotation must not prevent a kill. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
