/** The fields of a gotcha's pod; absent ones are left out. */
export interface PodManifest {
  readonly name: string
  readonly namespace?: string
  /** For a manifest that sets metadata.uid. */
  readonly uid?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly node?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never'
  readonly graceSeconds?: number
  readonly image?: string
  /** Of `sh -c`; default: `exitsOnSigterm`. */
  readonly script?: string
  readonly cpu?: string
  readonly volumes?: readonly Readonly<Record<string, unknown>>[]
  /** More fields of the container. */
  readonly containerFields?: Readonly<Record<string, unknown>>
}

/** Exits 0 on SIGTERM. */
const exitsOnSigterm = `trap 'exit 0' TERM; while true; do sleep 1; done`

/** PID 1 without a handler ignores SIGTERM; SIGKILL ends it with exit code 137. */
export const ignoresSigterm = 'sleep 86400'

/** The YAML of the pod, for the manifest folder and for `kubectl create -f`. */
export function fakePodManifest(pod: PodManifest): string {
  const lines = [
    'apiVersion: v1',
    'kind: Pod',
    'metadata:',
    `  name: ${pod.name}`,
    ...(pod.namespace === undefined ? [] : [`  namespace: ${pod.namespace}`]),
    ...(pod.uid === undefined ? [] : [`  uid: ${pod.uid}`]),
    ...(pod.labels === undefined ? [] : [`  labels: ${flow(pod.labels)}`]),
    ...(pod.annotations === undefined ? [] : [`  annotations: ${flow(pod.annotations)}`]),
    ...(pod.finalizers === undefined ? [] : [`  finalizers: [${pod.finalizers.join(', ')}]`]),
    'spec:',
    ...(pod.node === undefined ? [] : [`  nodeName: ${pod.node}`]),
    ...(pod.nodeSelector === undefined ? [] : [`  nodeSelector: ${flow(pod.nodeSelector)}`]),
    ...(pod.restartPolicy === undefined ? [] : [`  restartPolicy: ${pod.restartPolicy}`]),
    ...(pod.graceSeconds === undefined
      ? []
      : [`  terminationGracePeriodSeconds: ${pod.graceSeconds}`]),
    ...(pod.volumes === undefined ? [] : [`  volumes: ${JSON.stringify(pod.volumes)}`]),
    '  containers:',
    '    - name: main',
    `      image: ${pod.image ?? 'busybox:1.36'}`,
    ...(pod.cpu === undefined ? [] : [`      resources: { requests: { cpu: ${pod.cpu} } }`]),
    ...Object.entries(pod.containerFields ?? {}).map(
      ([field, value]) => `      ${field}: ${JSON.stringify(value)}`,
    ),
    '      command:',
    '        - sh',
    '        - -c',
    `        - ${pod.script ?? exitsOnSigterm}`,
  ]
  return `${lines.join('\n')}\n`
}

function flow(map: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(map)
    .map(([key, value]) => `${key}: '${value}'`)
    .join(', ')} }`
}
