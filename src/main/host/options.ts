/** The kinds of values, each with its placeholder in the help. A switch takes no value. */
export const placeholders = {
  switch: '',
  port: 'N',
  file: 'F',
  folder: 'DIR',
  name: 'C',
  node: 'NAME',
  pod: 'NS/NAME',
  url: 'URL',
  headers: 'K:V',
  duration: 'D',
  seed: 'N',
  pods: 'N',
  nodes: 'N',
  socket: 'URL',
  address: 'IP[:PORT]',
  log: 'F',
} as const

export interface Option {
  readonly kind: keyof typeof placeholders
  readonly help: string
}

/** Every option but --help and --version, by flag, in the order of the help. Each can also come from `NODESCOPE_<FLAG>`. */
export const options = {
  web: { kind: 'switch', help: 'Serve the dashboard to a browser instead of opening a window.' },
  port: { kind: 'port', help: 'Port of the web dashboard on 127.0.0.1 (any free one).' },
  kubeconfig: {
    kind: 'file',
    help: 'Open the cluster of this kubeconfig read-only instead of starting a sandbox; with --node, join it as that node.',
  },
  context: { kind: 'name', help: 'Context of the kubeconfig (its current one).' },
  node: {
    kind: 'node',
    help: 'Name of the node (scope-node-1 in the sandbox); with --kubeconfig, of the node that joins.',
  },
  nodes: {
    kind: 'nodes',
    help: 'Number of nodes in the sandbox, 1 to 50, each with its own kubelet (1).',
  },
  config: {
    kind: 'file',
    help: 'KubeletConfiguration of every node; options win over it. See docs/kubelet-configuration.md.',
  },
  'max-pods': { kind: 'pods', help: 'Maximum number of pods on the node (110, like a kubelet).' },
  runtime: {
    kind: 'socket',
    help: 'Run the pods on the container runtime at unix:///PATH (CRI v1) instead of simulating them; needs --kubeconfig.',
  },
  manifests: {
    kind: 'folder',
    help: 'Folder of static pod manifests (manifests in the data folder).',
  },
  'manifest-url': { kind: 'url', help: 'Poll this http or https URL for static pods too.' },
  'manifest-url-header': {
    kind: 'headers',
    help: 'Header of that request; may be repeated, or several separated by commas. A secret belongs in the environment.',
  },
  'http-check-frequency': {
    kind: 'duration',
    help: 'Time between two polls of the manifest URL, such as 1m30s (20s).',
  },
  'sandbox-port': {
    kind: 'port',
    help: 'Port of the sandbox API server for kubectl (any free one).',
  },
  'kubelet-port': {
    kind: 'port',
    help: 'Port of the first sandbox kubelet’s own server; the others have the following ones (any free ones).',
  },
  'kubelet-address': {
    kind: 'address',
    help: 'Where the kubelet’s own server listens with --kubeconfig, for kubectl logs and exec (none; port 10250).',
  },
  'sandbox-kubeconfig': {
    kind: 'file',
    help: 'Where to write the kubeconfig of the sandbox (in the data folder).',
  },
  seed: { kind: 'seed', help: 'Random seed of the sandbox, 0 to 4294967295 (from the time).' },
  record: { kind: 'file', help: 'Write a recording of the session here; see docs/recordings.md.' },
  replay: { kind: 'file', help: 'Open this recording instead of starting a sandbox.' },
  'read-only': { kind: 'switch', help: 'Disable all actions; not with --node of a kubeconfig.' },
  pod: {
    kind: 'pod',
    help: 'Open this pod first; NAME as in the API (a static pod’s ends in -NODE).',
  },
  'kubelet-log': {
    kind: 'log',
    help: 'Read this kubelet log instead of starting a sandbox; may be repeated for rotated parts; - is standard input.',
  },
  'serve-cri': {
    kind: 'socket',
    help: 'Only serve the simulated container runtime as CRI v1 at unix:///PATH, for a kubelet or crictl.',
  },
  'data-dir': {
    kind: 'folder',
    help: 'Data folder (~/.nodescope); one Nodescope at a time uses it.',
  },
  ephemeral: {
    kind: 'switch',
    help: 'Use a temporary data folder and remove it on exit: the sandbox keeps no state.',
  },
  rbac: {
    kind: 'switch',
    help: 'Enforce the Roles, ClusterRoles and bindings of the sandbox (kubectl --as=USER). See docs/sandbox-state.md.',
  },
  scenario: {
    kind: 'file',
    help: 'Start the sandbox of this scenario file; it keeps no state. See docs/sandbox-state.md.',
  },
  export: {
    kind: 'file',
    help: 'Write the state of the sandbox and its manifests to this YAML file and exit.',
  },
  import: {
    kind: 'file',
    help: 'Replace the state of the sandbox and its manifests by this file; the old ones are moved aside.',
  },
  reset: { kind: 'switch', help: 'Start a new sandbox; the old state is moved aside.' },
  'allow-simulated': {
    kind: 'switch',
    help: 'Let the simulated runtime join a server that is not on this machine.',
  },
  'agent-exit-condition': {
    kind: 'switch',
    help: 'On exit set Ready=False (AgentExit) on the Node and cordon it; a kubelet writes nothing.',
  },
  'delete-node-on-exit': {
    kind: 'switch',
    help: 'On exit delete the Node from the cluster; its mirror pods and its lease are deleted too.',
  },
} as const satisfies Readonly<Record<string, Option>>

export type OptionFlag = keyof typeof options

export function isOptionFlag(flag: string): flag is OptionFlag {
  return Object.hasOwn(options, flag)
}

export const optionFlags: readonly OptionFlag[] = Object.keys(options).filter(isOptionFlag)

/** The environment variable of an option: `NODESCOPE_DATA_DIR`. */
export function environmentName(flag: string): string {
  return `NODESCOPE_${flag.replaceAll('-', '_').toUpperCase()}`
}

export function helpText(): string {
  const rows: readonly (readonly [string, string])[] = [
    ...optionFlags.map((flag): [string, string] => {
      const { kind, help } = options[flag]
      return [`--${flag} ${placeholders[kind]}`.trimEnd(), help]
    }),
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
    'Exit code 2: an option is wrong, or a file or server that it names cannot be used. 1: any other failure.',
  ].join('\n')
}
