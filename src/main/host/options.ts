/** How an option is read: a switch takes no value, the others take one. */
type OptionKind =
  | 'switch'
  | 'port'
  | 'path'
  | 'name'
  | 'node'
  | 'pod'
  | 'url'
  | 'headers'
  | 'duration'
  | 'seed'
  | 'pods'
  | 'nodes'

export interface Option {
  readonly flag: string
  readonly kind: OptionKind
  /** Placeholder of the value in the help; empty for a switch. */
  readonly placeholder: string
  readonly help: string
}

/** Every option but --help and --version, in the order of the help. Each can also come from `NODESCOPE_<FLAG>`. */
export const options = [
  {
    flag: 'web',
    kind: 'switch',
    placeholder: '',
    help: 'Serve the dashboard to a browser instead of opening a window.',
  },
  {
    flag: 'port',
    kind: 'port',
    placeholder: 'N',
    help: 'Port of the web dashboard on 127.0.0.1 (any free one).',
  },
  {
    flag: 'kubeconfig',
    kind: 'path',
    placeholder: 'F',
    help: 'Join the cluster of this kubeconfig instead of starting a sandbox; needs --node.',
  },
  {
    flag: 'context',
    kind: 'name',
    placeholder: 'C',
    help: 'Context of the kubeconfig (its current one).',
  },
  {
    flag: 'node',
    kind: 'node',
    placeholder: 'NAME',
    help: 'Name of the node (scope-node-1 in the sandbox).',
  },
  {
    flag: 'nodes',
    kind: 'nodes',
    placeholder: 'N',
    help: 'Number of nodes in the sandbox, 1 to 50, each with its own kubelet (1).',
  },
  {
    flag: 'max-pods',
    kind: 'pods',
    placeholder: 'N',
    help: 'Maximum number of pods on the node (110, like a kubelet).',
  },
  {
    flag: 'manifests',
    kind: 'path',
    placeholder: 'DIR',
    help: 'Folder of static pod manifests (manifests in the data folder).',
  },
  {
    flag: 'manifest-url',
    kind: 'url',
    placeholder: 'URL',
    help: 'Poll this http or https URL for static pods too.',
  },
  {
    flag: 'manifest-url-header',
    kind: 'headers',
    placeholder: 'K:V',
    help: 'Header of that request; may be repeated, or several separated by commas. A secret belongs in the environment.',
  },
  {
    flag: 'http-check-frequency',
    kind: 'duration',
    placeholder: 'D',
    help: 'Time between two polls of the manifest URL, such as 1m30s (20s).',
  },
  {
    flag: 'sandbox-port',
    kind: 'port',
    placeholder: 'N',
    help: 'Port of the sandbox API server for kubectl (any free one).',
  },
  {
    flag: 'sandbox-kubeconfig',
    kind: 'path',
    placeholder: 'F',
    help: 'Where to write the kubeconfig of the sandbox (in the data folder).',
  },
  {
    flag: 'seed',
    kind: 'seed',
    placeholder: 'N',
    help: 'Random seed of the sandbox, 0 to 4294967295 (from the time).',
  },
  {
    flag: 'record',
    kind: 'path',
    placeholder: 'F',
    help: 'Write a recording of the session here; see docs/recordings.md.',
  },
  {
    flag: 'read-only',
    kind: 'switch',
    placeholder: '',
    help: 'Disable all actions; not with --kubeconfig.',
  },
  {
    flag: 'pod',
    kind: 'pod',
    placeholder: 'NS/NAME',
    help: 'Open this pod first; NAME as in the API (a static pod’s ends in -NODE).',
  },
  {
    flag: 'data-dir',
    kind: 'path',
    placeholder: 'DIR',
    help: 'Data folder (~/.nodescope); one Nodescope at a time uses it.',
  },
  {
    flag: 'ephemeral',
    kind: 'switch',
    placeholder: '',
    help: 'Use a temporary data folder and remove it on exit.',
  },
  {
    flag: 'allow-simulated',
    kind: 'switch',
    placeholder: '',
    help: 'Let the simulated runtime join a server that is not on this machine.',
  },
  {
    flag: 'agent-exit-condition',
    kind: 'switch',
    placeholder: '',
    help: 'On exit set Ready=False (AgentExit) on the Node and cordon it; a kubelet writes nothing.',
  },
  {
    flag: 'delete-node-on-exit',
    kind: 'switch',
    placeholder: '',
    help: 'On exit delete the Node from the cluster; its mirror pods and its lease are deleted too.',
  },
] as const satisfies readonly Option[]

export type OptionFlag = (typeof options)[number]['flag']

/** The environment variable of an option: `NODESCOPE_DATA_DIR`. */
export function environmentName(flag: string): string {
  return `NODESCOPE_${flag.replaceAll('-', '_').toUpperCase()}`
}

export function helpText(): string {
  const rows: readonly (readonly [string, string])[] = [
    ...options.map(
      ({ flag, placeholder, help }) => [`--${flag} ${placeholder}`.trimEnd(), help] as const,
    ),
    ['--version', 'Print the version.'],
    ['--help', 'Print this help.'],
  ]
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    'Nodescope shows what happens inside a Kubernetes node.',
    '',
    'Usage: npm start -- [options]',
    '',
    ...rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`),
    '',
    'Each option can also be set in the environment: --data-dir as NODESCOPE_DATA_DIR, --web as NODESCOPE_WEB=1.',
  ].join('\n')
}
