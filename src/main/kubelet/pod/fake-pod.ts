import type { ObjectMeta, Pod, PodSpec, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { configHashAnnotation, configMirrorAnnotation, configSourceAnnotation } from './identity.ts'

interface PodShape {
  readonly name?: string
  readonly namespace?: string
  readonly uid?: string
  readonly metadata?: Partial<ObjectMeta>
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec?: Partial<PodSpec>
  readonly status?: PodStatus
}

/** An API pod with one container, as PodConfig hands it out. */
export function fakePod(shape: PodShape = {}): Pod {
  const name = shape.name ?? 'web'
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: shape.namespace ?? 'default',
      uid: shape.uid ?? `${name}-uid`,
      ...shape.metadata,
      annotations: { [configSourceAnnotation]: 'api', ...shape.annotations },
    },
    spec: {
      containers: [{ name: 'c', image: 'busybox' }],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      ...shape.spec,
    },
    ...(shape.status === undefined ? {} : { status: shape.status }),
  }
}

/** A static pod from a file, whose hash is its uid. */
export function fakeStaticPod(shape: PodShape = {}): Pod {
  const uid = shape.uid ?? 'static-1'
  return fakePod({
    name: 'web-node',
    ...shape,
    uid,
    annotations: {
      [configSourceAnnotation]: 'file',
      [configHashAnnotation]: uid,
      ...shape.annotations,
    },
  })
}

/** The mirror of a static pod, as it comes back through the API source. */
export function fakeMirrorOf(pod: Pod, shape: PodShape = {}): Pod {
  const hash = pod.metadata.annotations?.[configHashAnnotation] ?? ''
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      uid: shape.uid ?? `mirror-of-${pod.metadata.uid}`,
      ...shape.metadata,
      annotations: {
        ...pod.metadata.annotations,
        [configMirrorAnnotation]: hash,
        [configSourceAnnotation]: 'api',
        ...shape.annotations,
      },
    },
    ...(shape.status === undefined ? {} : { status: shape.status }),
  }
}
