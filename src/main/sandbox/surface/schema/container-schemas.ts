import type { SchemaTable } from './schema-notation.ts'

const containerFields = {
  name: 'string! | Unique within the pod.',
  image: 'string | The container image.',
  command: '[]string | Replaces the entry point of the image; not run in a shell.',
  args: '[]string | Arguments; replaces those of the image.',
  workingDir: 'string | The working directory.',
  ports: '[]ContainerPort merge=containerPort | Ports of the container; informational.',
  envFrom: '[]EnvFromSource | Sets all entries of a ConfigMap or Secret as environment variables.',
  env: '[]EnvVar merge=name | Environment variables.',
  resources: 'ResourceRequirements | Resource requests and limits.',
  resizePolicy: '[]ContainerResizePolicy | Whether a change of resources restarts the container.',
  restartPolicy: 'string | Always makes an init container a sidecar.',
  restartPolicyRules: '[]ContainerRestartRule | Exit codes that restart the container.',
  volumeMounts: '[]VolumeMount merge=mountPath | Volumes to mount, and where.',
  volumeDevices: '[]VolumeDevice merge=devicePath | Block devices in the container.',
  livenessProbe: 'Probe | Restarts the container when it fails.',
  readinessProbe: 'Probe | Makes the container unready while it fails.',
  startupProbe: 'Probe | The other probes start after it has succeeded once.',
  lifecycle: 'Lifecycle | Hooks after the start and before the stop of the container.',
  terminationMessagePath: 'string | The file that contains the termination message.',
  terminationMessagePolicy: 'string | File or FallbackToLogsOnError.',
  imagePullPolicy: 'string | Always, Never or IfNotPresent.',
  securityContext: 'SecurityContext | Security settings.',
  stdin: 'bool | Keeps standard input open.',
  stdinOnce: 'bool | Closes standard input after the first session.',
  tty: 'bool | Allocates a terminal.',
} as const

/** core/v1 Container and its parts. */
export const containerSchemas: SchemaTable = {
  Container: { about: 'A process with its image.', fields: containerFields },
  EphemeralContainer: {
    about: 'A container added to a running pod; never restarted, never removed.',
    fields: {
      ...containerFields,
      targetContainerName: 'string | The container whose PID namespace it uses.',
    },
  },
  ContainerPort: {
    about: 'A port that a container listens on.',
    fields: {
      name: 'string',
      hostPort: 'int32',
      containerPort: 'int32!',
      protocol: 'string | TCP, UDP or SCTP.',
      hostIP: 'string',
    },
  },
  EnvVar: {
    about: 'An environment variable.',
    fields: {
      name: 'string!',
      value: 'string | May refer to earlier variables as $(NAME).',
      valueFrom: 'EnvVarSource | Where the value comes from instead.',
    },
  },
  EnvVarSource: {
    about: 'Where a value comes from.',
    fields: {
      fieldRef: 'ObjectFieldSelector',
      resourceFieldRef: 'ResourceFieldSelector',
      configMapKeyRef: 'ConfigMapKeySelector',
      secretKeyRef: 'SecretKeySelector',
      fileKeyRef: 'FileKeySelector',
    },
  },
  EnvFromSource: {
    about: 'Environment variables from all entries of an object.',
    fields: {
      prefix: 'string',
      configMapRef: 'ConfigMapEnvSource',
      secretRef: 'SecretEnvSource',
    },
  },
  ConfigMapEnvSource: { about: 'A config map.', fields: { name: 'string', optional: 'bool' } },
  SecretEnvSource: { about: 'A secret.', fields: { name: 'string', optional: 'bool' } },
  ObjectFieldSelector: {
    about: 'A field of the pod itself.',
    fields: { apiVersion: 'string', fieldPath: 'string!' },
  },
  ResourceFieldSelector: {
    about: 'A request or limit of a container.',
    fields: { containerName: 'string', resource: 'string!', divisor: 'quantity' },
  },
  ConfigMapKeySelector: {
    about: 'An entry of a config map.',
    fields: { name: 'string', key: 'string!', optional: 'bool' },
  },
  SecretKeySelector: {
    about: 'An entry of a secret.',
    fields: { name: 'string', key: 'string!', optional: 'bool' },
  },
  FileKeySelector: {
    about: 'An entry of a file in a volume.',
    fields: { volumeName: 'string!', path: 'string!', key: 'string!', optional: 'bool' },
  },
  ResourceRequirements: {
    about: 'Resource requests and limits.',
    fields: {
      limits: 'map:quantity | The maximum amount.',
      requests: 'map:quantity | The reserved amount; defaults to the limit.',
      claims: '[]ResourceClaim',
    },
  },
  ResourceClaim: {
    about: 'A device that the pod claims.',
    fields: { name: 'string!', request: 'string' },
  },
  ContainerResizePolicy: {
    about: 'The effect of a resource change on the container.',
    fields: { resourceName: 'string!', restartPolicy: 'string!' },
  },
  ContainerRestartRule: {
    about: 'When the container is restarted.',
    fields: { action: 'string', exitCodes: 'ContainerRestartRuleOnExitCodes' },
  },
  ContainerRestartRuleOnExitCodes: {
    about: 'The exit codes of a restart rule.',
    fields: { operator: 'string', values: '[]int32' },
  },
  Probe: {
    about: 'A periodic health check of a container by the kubelet.',
    fields: {
      exec: 'ExecAction',
      httpGet: 'HTTPGetAction',
      tcpSocket: 'TCPSocketAction',
      grpc: 'GRPCAction',
      initialDelaySeconds:
        'int32 | Seconds between the start of the container and the first probe.',
      timeoutSeconds: 'int32 | Seconds until a probe times out; defaults to 1.',
      periodSeconds: 'int32 | Seconds between two probes; defaults to 10.',
      successThreshold: 'int32 | Consecutive successes that count as success; defaults to 1.',
      failureThreshold: 'int32 | Consecutive failures that count as failure; defaults to 3.',
      terminationGracePeriodSeconds:
        'int64 | Grace period when a failed liveness or startup probe stops the container.',
    },
  },
  ExecAction: { about: 'Runs a command in the container.', fields: { command: '[]string' } },
  HTTPGetAction: {
    about: 'Sends an HTTP request.',
    fields: {
      path: 'string',
      port: 'intOrString!',
      host: 'string',
      scheme: 'string',
      httpHeaders: '[]HTTPHeader',
    },
  },
  HTTPHeader: { about: 'A header.', fields: { name: 'string!', value: 'string!' } },
  TCPSocketAction: { about: 'Opens a port.', fields: { port: 'intOrString!', host: 'string' } },
  GRPCAction: { about: 'Calls a health service.', fields: { port: 'int32!', service: 'string' } },
  SleepAction: { about: 'Waits.', fields: { seconds: 'int64!' } },
  Lifecycle: {
    about: 'Hooks after the start and before the stop of a container.',
    fields: {
      postStart:
        'LifecycleHandler | Runs immediately after the start; a failure kills the container.',
      preStop: 'LifecycleHandler | Runs before SIGTERM, within the grace period.',
      stopSignal: 'string | The signal that stops the container; replaces that of the image.',
    },
  },
  LifecycleHandler: {
    about: 'The action of a hook.',
    fields: {
      exec: 'ExecAction',
      httpGet: 'HTTPGetAction',
      tcpSocket: 'TCPSocketAction',
      sleep: 'SleepAction',
    },
  },
  SecurityContext: {
    about: 'Rights of a container.',
    fields: {
      capabilities: 'Capabilities',
      privileged: 'bool',
      seLinuxOptions: 'SELinuxOptions',
      windowsOptions: 'WindowsSecurityContextOptions',
      runAsUser: 'int64',
      runAsGroup: 'int64',
      runAsNonRoot: 'bool',
      readOnlyRootFilesystem: 'bool',
      allowPrivilegeEscalation: 'bool',
      procMount: 'string',
      seccompProfile: 'SeccompProfile',
      appArmorProfile: 'AppArmorProfile',
    },
  },
  Capabilities: {
    about: 'Linux capabilities given and taken.',
    fields: { add: '[]string', drop: '[]string' },
  },
}
