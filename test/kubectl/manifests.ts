/** A small pod; `extra` is appended to it. */
export function podYaml(
  name: string,
  more: { label?: string; image?: string; extra?: string } = {},
): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: {app: ${more.label ?? 'web'}}
spec:
  containers:
  - name: c
    image: ${more.image ?? 'registry.example/app:1'}
    command: [sleep, "3600"]
${more.extra ?? ''}`
}

/** A pod with everything that manifests usually have: all of it must pass strict validation. */
export const fullPodYaml = `apiVersion: v1
kind: Pod
metadata:
  name: full
  annotations: {note: "y"}
spec:
  restartPolicy: OnFailure
  terminationGracePeriodSeconds: 5
  activeDeadlineSeconds: 600
  nodeSelector: {kubernetes.io/os: linux}
  serviceAccountName: default
  automountServiceAccountToken: false
  tolerations:
  - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
  - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
  securityContext: {runAsUser: 1000, fsGroup: 2000, seccompProfile: {type: RuntimeDefault}}
  affinity:
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}
  readinessGates: [{conditionType: example.com/ready}]
  dnsConfig: {options: [{name: ndots, value: "2"}]}
  hostAliases: [{ip: 127.0.0.1, hostnames: [a.example]}]
  initContainers:
  - {name: prepare, image: "registry.example/init:1", command: [sh, -c, exit 0]}
  - {name: sidecar, image: "registry.example/side:1", restartPolicy: Always}
  containers:
  - name: c
    image: registry.example/app:1
    imagePullPolicy: IfNotPresent
    args: [--verbose]
    workingDir: /srv
    ports: [{containerPort: 8080, name: http, protocol: TCP}]
    env:
    - {name: PLAIN, value: "1"}
    - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
    - {name: KEY, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}
    envFrom: [{configMapRef: {name: settings}}]
    resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: "1", memory: 128Mi}}
    livenessProbe: {httpGet: {path: /healthz, port: http}, periodSeconds: 5}
    readinessProbe: {exec: {command: ["true"]}}
    startupProbe: {tcpSocket: {port: 8080}, failureThreshold: 30}
    lifecycle: {preStop: {sleep: {seconds: 3}}}
    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
    volumeMounts: [{name: data, mountPath: /data}, {name: conf, mountPath: /etc/conf, readOnly: true}]
  volumes:
  - {name: data, emptyDir: {sizeLimit: 10Mi}}
  - {name: conf, configMap: {name: settings, items: [{key: a, path: a.conf}]}}
  - name: all
    projected:
      sources: [{serviceAccountToken: {path: token}}, {downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}]
`
