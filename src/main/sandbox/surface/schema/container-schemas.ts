import type { SchemaTable } from './schema-notation.ts'

const containerFields = {
  name: 'string! | Unique within the pod.',
  image: 'string | What to run.',
  command: '[]string | Run instead of the image’s entry point; not in a shell.',
  args: '[]string | Arguments, instead of the image’s own.',
  workingDir: 'string | The folder it starts in.',
  ports: '[]ContainerPort merge=containerPort | Ports it listens on, for information.',
  envFrom: '[]EnvFromSource | Environment variables, all entries of a config map or secret.',
  env: '[]EnvVar merge=name | Environment variables.',
  resources: 'ResourceRequirements | What it needs and may use.',
  resizePolicy: '[]ContainerResizePolicy | What changing its resources does to it.',
  restartPolicy: 'string | Always makes an init container a sidecar.',
  restartPolicyRules: '[]ContainerRestartRule | Which exit codes restart it.',
  volumeMounts: '[]VolumeMount merge=mountPath | Volumes it sees, and where.',
  volumeDevices: '[]VolumeDevice merge=devicePath | Block devices it sees.',
  livenessProbe: 'Probe | Restarts the container when it fails.',
  readinessProbe: 'Probe | Makes the container unready while it fails.',
  startupProbe: 'Probe | Holds the other probes back until it has succeeded once.',
  lifecycle: 'Lifecycle | What runs after its start and before its stop.',
  terminationMessagePath: 'string | The file whose content becomes its last message.',
  terminationMessagePolicy: 'string | File or FallbackToLogsOnError.',
  imagePullPolicy: 'string | Always, Never or IfNotPresent.',
  securityContext: 'SecurityContext | Its rights.',
  stdin: 'bool | Keeps its standard input open.',
  stdinOnce: 'bool | Closes standard input after the first session.',
  tty: 'bool | Gives it a terminal.',
} as const

/** core/v1 Container and its parts. */
export const containerSchemas: SchemaTable = {
  Container: { about: 'A process with its image.', fields: containerFields },
  EphemeralContainer: {
    about: 'A container added to a running pod; never restarted, never removed.',
    fields: {
      ...containerFields,
      targetContainerName: 'string | The container whose processes it sees.',
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
    about: 'What is needed and what may be used.',
    fields: {
      limits: 'map:quantity | The most that may be used.',
      requests: 'map:quantity | What is set aside; the limit unless said otherwise.',
      claims: '[]ResourceClaim',
    },
  },
  ResourceClaim: {
    about: 'A device that the pod claims.',
    fields: { name: 'string!', request: 'string' },
  },
  ContainerResizePolicy: {
    about: 'What a change of one resource does to the container.',
    fields: { resourceName: 'string!', restartPolicy: 'string!' },
  },
  ContainerRestartRule: {
    about: 'When the container is restarted.',
    fields: { action: 'string', exitCodes: 'ContainerRestartRuleOnExitCodes' },
  },
  ContainerRestartRuleOnExitCodes: {
    about: 'Exit codes that a rule is for.',
    fields: { operator: 'string', values: '[]int32' },
  },
  Probe: {
    about: 'A question that the kubelet puts to a container again and again.',
    fields: {
      exec: 'ExecAction',
      httpGet: 'HTTPGetAction',
      tcpSocket: 'TCPSocketAction',
      grpc: 'GRPCAction',
      initialDelaySeconds: 'int32 | Seconds after the start before the first.',
      timeoutSeconds: 'int32 | Seconds to wait for the answer; 1 unless said otherwise.',
      periodSeconds: 'int32 | Seconds between two; 10 unless said otherwise.',
      successThreshold:
        'int32 | Successes in a row that count as success; 1 unless said otherwise.',
      failureThreshold: 'int32 | Failures in a row that count as failure; 3 unless said otherwise.',
      terminationGracePeriodSeconds:
        'int64 | Grace when a failed liveness or startup probe stops the container.',
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
    about: 'What runs at the edges of a container’s life.',
    fields: {
      postStart: 'LifecycleHandler | At once after the start; a failure kills the container.',
      preStop: 'LifecycleHandler | Before SIGTERM; the grace period runs meanwhile.',
      stopSignal: 'string | The signal that stops it, instead of the image’s.',
    },
  },
  LifecycleHandler: {
    about: 'What a hook does.',
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
