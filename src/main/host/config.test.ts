import { describe, expect, it } from 'vitest'
import { defaultKubeletSettings } from '../kubelet/kubelet-settings.ts'
import type { ConfigSources } from './config.ts'
import { parseConfig } from './config.ts'
import { helpText, optionFlags, options, placeholders } from './options.ts'

const sources: ConfigSources = {
  argv: [],
  environment: {},
  homeFolder: '/home/ada',
  temporaryFolder: '/tmp',
  workingFolder: '/work',
  version: '1.2.3',
}

function parse(argv: readonly string[], environment: Record<string, string> = {}) {
  return parseConfig({ ...sources, argv, environment })
}

const sandbox = {
  version: '1.2.3',
  port: null,
  cluster: {
    kind: 'sandbox',
    port: null,
    kubeletPort: null,
    kubeconfigPath: '/home/ada/.nodescope/sandbox.kubeconfig',
    state: { path: '/home/ada/.nodescope/state', hasKeptNodes: true },
  },
  nodeName: 'scope-node-1',
  nodes: 1,
  maxPods: 110,
  registerWithTaints: [],
  settings: defaultKubeletSettings,
  manifestsPath: '/home/ada/.nodescope/manifests',
  hasOwnManifests: true,
  manifestUrl: null,
  recordingsPath: '/home/ada/.nodescope/recordings',
  recordPath: null,
  seed: null,
  readOnly: false,
  openPod: '',
  criSocketPath: null,
  dataFolder: '/home/ada/.nodescope',
  isEphemeral: false,
  notes: [],
}

describe('parseConfig', () => {
  it('reports arguments with secrets in the process list, and the environment variables to use instead', () => {
    const url = 'https://ada:secret@h/pods'
    const notesOf = (argv: readonly string[], environment = {}): readonly string[] => {
      const parsed = parse(argv, environment)
      if (!parsed.ok) throw new Error(parsed.error.message)
      return parsed.value.notes
    }
    expect(notesOf(['--manifest-url', url, '--manifest-url-header=Authorization:x'])).toEqual([
      'The value of --manifest-url is in the process list, which other users of this machine can read: if it is a secret, set NODESCOPE_MANIFEST_URL instead.',
      'The value of --manifest-url-header is in the process list, which other users of this machine can read: if it is a secret, set NODESCOPE_MANIFEST_URL_HEADER instead.',
    ])
    expect(notesOf(['--manifest-url', 'https://h/pods?token=secret'])).toHaveLength(1)
    expect(notesOf(['--manifest-url', 'https://h/pods'])).toEqual([])
    const note = 'The dashboard is for a browser: there is no display here.'
    expect(notesOf([], { NODESCOPE_LAUNCH_NOTE: note })).toEqual([note])
    expect(parse(['--wbe'], { NODESCOPE_LAUNCH_NOTE: note })).toMatchObject({ ok: false })
    expect(
      notesOf([], {
        NODESCOPE_MANIFEST_URL: url,
        NODESCOPE_MANIFEST_URL_HEADER: 'Authorization:x',
      }),
    ).toEqual([])
  })

  const good: readonly (readonly [string, readonly string[], Record<string, string>, object])[] = [
    ['nothing given', [], {}, sandbox],
    ['--web', ['--web'], {}, sandbox],
    ['a port', ['--port', '8080'], {}, { ...sandbox, port: 8080 }],
    ['port 0: any', ['--port=0'], {}, sandbox],
    [
      'a kubeconfig to look at',
      ['--kubeconfig', 'kc', '--read-only'],
      {},
      { ...sandbox, readOnly: true, cluster: { kind: 'look', path: '/work/kc', context: null } },
    ],
    [
      'a kubeconfig with a node',
      ['--kubeconfig', 'a/kc', '--context=dev', '--node', 'n1.example', '--allow-simulated'],
      {},
      {
        ...sandbox,
        nodeName: 'n1.example',
        cluster: {
          kind: 'kubeconfig',
          path: '/work/a/kc',
          context: 'dev',
          allowSimulated: true,
          exit: { agentExitCondition: false, deleteNode: false },
        },
      },
    ],
    [
      'what a node says when it leaves',
      ['--kubeconfig=/kc', '--node=n1', '--agent-exit-condition', '--delete-node-on-exit'],
      {},
      {
        ...sandbox,
        nodeName: 'n1',
        cluster: {
          kind: 'kubeconfig',
          path: '/kc',
          context: null,
          allowSimulated: false,
          exit: { agentExitCondition: true, deleteNode: true },
        },
      },
    ],
    ...(
      [
        ['192.0.2.1', { host: '192.0.2.1', port: 10_250 }],
        ['192.0.2.1:0', { host: '192.0.2.1', port: 0 }],
        ['[FD00:0::2]', { host: 'fd00::2', port: 10_250 }],
        ['[fd00::2]:443', { host: 'fd00::2', port: 443 }],
      ] as const
    ).map(
      ([value, kubeletAddress]) =>
        [
          `the address of a kubelet's server, ${value}`,
          ['--kubeconfig=/kc', '--node=n', '--kubelet-address', value],
          {},
          {
            ...sandbox,
            nodeName: 'n',
            cluster: {
              kind: 'kubeconfig',
              path: '/kc',
              context: null,
              allowSimulated: false,
              kubeletAddress,
              exit: { agentExitCondition: false, deleteNode: false },
            },
          },
        ] as const,
    ),
    [
      'another data folder',
      ['--data-dir', 'd', '--read-only'],
      {},
      {
        ...sandbox,
        readOnly: true,
        dataFolder: '/work/d',
        recordingsPath: '/work/d/recordings',
        manifestsPath: '/work/d/manifests',
        cluster: {
          kind: 'sandbox',
          port: null,
          kubeletPort: null,
          kubeconfigPath: '/work/d/sandbox.kubeconfig',
          state: { path: '/work/d/state', hasKeptNodes: true },
        },
      },
    ],
    [
      'paths of one’s own',
      [
        '--manifests',
        '/m',
        '--sandbox-port',
        '6443',
        '--sandbox-kubeconfig=~/kc',
        '--kubelet-port=10250',
      ],
      {},
      {
        ...sandbox,
        manifestsPath: '/m',
        hasOwnManifests: false,
        cluster: {
          kind: 'sandbox',
          port: 6443,
          kubeletPort: 10_250,
          kubeconfigPath: '/home/ada/kc',
          state: { path: '/home/ada/.nodescope/state', hasKeptNodes: true },
        },
      },
    ],
    [
      'the environment',
      [],
      { NODESCOPE_PORT: '81', NODESCOPE_READ_ONLY: 'true', NODESCOPE_WEB: '', OTHER: 'x' },
      { ...sandbox, port: 81, readOnly: true },
    ],
    [
      'arguments over the environment',
      ['--port', '82'],
      { NODESCOPE_PORT: '81' },
      { ...sandbox, port: 82 },
    ],
    [
      'a pod to show first',
      ['--pod', 'kube-system/web.1-n1'],
      {},
      { ...sandbox, openPod: 'kube-system/web.1-n1' },
    ],
    ['how many pods the node takes', ['--max-pods', '5000'], {}, { ...sandbox, maxPods: 5000 }],
    [
      'how many nodes there are',
      ['--nodes', '50'],
      {},
      {
        ...sandbox,
        nodes: 50,
        cluster: {
          ...sandbox.cluster,
          state: { path: '/home/ada/.nodescope/state', hasKeptNodes: false },
        },
      },
    ],
    [
      'a seed and a recording',
      ['--seed=0', '--record', 'r'],
      {},
      { ...sandbox, seed: 0, recordPath: '/work/r' },
    ],
    [
      'a manifest URL as the kubelet takes it',
      [
        '--manifest-url=https://h/p',
        '--manifest-url-header=A: b:c ,, D:',
        '--manifest-url-header',
        'A:e',
        '--http-check-frequency=1m1.5s',
      ],
      {},
      {
        ...sandbox,
        manifestUrl: {
          url: 'https://h/p',
          headers: [
            { name: 'A', value: 'b:c' },
            { name: 'D', value: '' },
            { name: 'A', value: 'e' },
          ],
          checkFrequencyMs: 61_500,
        },
      },
    ],
    [
      'a manifest URL that is polled every 20 s',
      ['--manifest-url', 'http://h'],
      {},
      { ...sandbox, manifestUrl: { url: 'http://h', headers: [], checkFrequencyMs: 20_000 } },
    ],
    ['the last of two', ['--port', '1', '--port', '2'], {}, { ...sandbox, port: 2 }],
    [
      'a typed exclusion over the environment',
      ['--data-dir', '/d'],
      { NODESCOPE_EPHEMERAL: '1' },
      {
        ...sandbox,
        dataFolder: '/d',
        recordingsPath: '/d/recordings',
        manifestsPath: '/d/manifests',
        cluster: {
          kind: 'sandbox',
          port: null,
          kubeletPort: null,
          kubeconfigPath: '/d/sandbox.kubeconfig',
          state: { path: '/d/state', hasKeptNodes: true },
        },
      },
    ],
    [
      'files of a kubelet log instead of a cluster',
      ['--kubelet-log', '/var/log/kubelet.log', '--kubelet-log=/var/log/kubelet.log.1'],
      {},
      {
        ...sandbox,
        cluster: { kind: 'none' },
        kubeletLogs: ['/var/log/kubelet.log', '/var/log/kubelet.log.1'],
      },
    ],
    [
      'standard input as a kubelet log',
      ['--kubelet-log', '-'],
      {},
      { ...sandbox, cluster: { kind: 'none' }, kubeletLogs: ['-'] },
    ],
    [
      'a socket of CRI alone, whatever the environment says of the dashboard',
      ['--serve-cri', 'unix:///run/cri.sock', '--seed=7'],
      { NODESCOPE_KUBECONFIG: 'kc' },
      {
        ...sandbox,
        criSocketPath: '/run/cri.sock',
        seed: 7,
      },
    ],
  ]
  it.each(good)('takes %s', (_name, argv, environment, expected) => {
    const { maxPods, manifestsPath, manifestUrl } = expected as typeof sandbox
    const configuration = expect.objectContaining({
      maxPods,
      staticPodPath: manifestsPath,
      ...(manifestUrl === null ? {} : { staticPodURL: (manifestUrl as { url: string }).url }),
    })
    const value = { ...expected, configuration, notes: expect.any(Array) }
    expect(parse(argv, environment)).toEqual({ ok: true, value })
  })

  const bad: readonly (readonly [readonly string[], Record<string, string>, string])[] = [
    [
      ['--export', 'a', '--reset'],
      {},
      '--export and --reset exclude each other: omit one of them.',
    ],
    [['--import', 'a', '--ephemeral'], {}, '--ephemeral keeps no state: omit --import.'],
    [['--reset', '--kubeconfig', 'kc'], {}, '--kubeconfig starts no sandbox: omit --reset.'],
    [['--rbac', '--kubeconfig', 'kc'], {}, '--kubeconfig starts no sandbox: omit --rbac.'],
    [
      ['--scenario', 'a', '--kubeconfig', 'kc'],
      {},
      '--kubeconfig starts no sandbox: omit --scenario.',
    ],
    [['--scenario', 'a', '--export', 'b'], {}, '--scenario keeps no state: omit --export.'],
    [
      ['--scenario', 'a', '--nodes', '2'],
      {},
      '--scenario brings its own nodes and manifests: omit --nodes.',
    ],
    [['--prot', '1'], {}, 'Unknown option --prot; --help lists all options.'],
    [['--prot=secret'], {}, 'Unknown option --prot; --help lists all options.'],
    [['-x'], {}, 'Unknown option -x; --help lists all options.'],
    [['--'], {}, 'Unknown option --; --help lists all options.'],
    [['--constructor'], {}, 'Unknown option --constructor; --help lists all options.'],
    [['web'], {}, 'The argument "web" is not an option; --help lists all options.'],
    [['--web=1'], {}, '--web takes no value.'],
    [['--port'], {}, '--port needs a value.'],
    [['--port', '--web'], {}, '--port needs a value.'],
    [['--port', ''], {}, '--port needs a port from 0 to 65535, not "".'],
    [['--port', '65536'], {}, '--port needs a port from 0 to 65535, not "65536".'],
    [['--port', '-1'], {}, '--port needs a port from 0 to 65535, not "-1".'],
    [['--port', '80a'], {}, '--port needs a port from 0 to 65535, not "80a".'],
    [['--data-dir='], {}, '--data-dir needs a value.'],
    [
      ['--node', 'Node_1'],
      {},
      '--node needs a node name (lower-case letters, digits, "-" and "."), not "Node_1".',
    ],
    [['--pod', 'web'], {}, '--pod needs NAMESPACE/NAME of a pod, not "web".'],
    [['--pod', 'a/b/c'], {}, '--pod needs NAMESPACE/NAME of a pod, not "a/b/c".'],
    [['--pod', '/web'], {}, '--pod needs NAMESPACE/NAME of a pod, not "/web".'],
    [['--pod', 'a.b/web'], {}, '--pod needs NAMESPACE/NAME of a pod, not "a.b/web".'],
    [['--pod', 'default/Web'], {}, '--pod needs NAMESPACE/NAME of a pod, not "default/Web".'],
    [
      ['--manifest-url', 'ftp://me:secret@h'],
      {},
      '--manifest-url needs a URL that begins with http:// or https://.',
    ],
    [
      ['--manifest-url', 'http://h', '--manifest-url-header', 'secret'],
      {},
      '--manifest-url-header needs NAME:VALUE, or several, separated by commas.',
    ],
    [
      ['--manifest-url', 'http://h', '--manifest-url-header', 'A:b\nc'],
      {},
      '--manifest-url-header needs NAME:VALUE, or several, separated by commas.',
    ],
    [['--manifest-url-header', 'A:b'], {}, '--manifest-url-header needs --manifest-url.'],
    [['--http-check-frequency', '20s'], {}, '--http-check-frequency needs --manifest-url.'],
    [
      ['--manifest-url', 'http://h', '--http-check-frequency', '20'],
      {},
      '--http-check-frequency needs a duration from 1s to 24h such as 20s or 1m30s, not "20".',
    ],
    [
      ['--manifest-url', 'http://h', '--http-check-frequency', '999ms'],
      {},
      '--http-check-frequency needs a duration from 1s to 24h such as 20s or 1m30s, not "999ms".',
    ],
    [
      ['--seed', '4294967296'],
      {},
      '--seed needs a whole number from 0 to 4294967295, not "4294967296".',
    ],
    [['--max-pods', '0'], {}, '--max-pods needs a whole number from 1 to 65000, not "0".'],
    [['--max-pods', '65001'], {}, '--max-pods needs a whole number from 1 to 65000, not "65001".'],
    [['--nodes', '51'], {}, '--nodes needs a whole number from 1 to 50, not "51".'],
    [['--nodes', '0'], {}, '--nodes needs a whole number from 1 to 50, not "0".'],
    [
      ['--kubeconfig', 'kc', '--node', 'n', '--nodes', '2'],
      {},
      '--kubeconfig starts no sandbox: omit --nodes.',
    ],
    [['--seed', '-1'], {}, '--seed needs a whole number from 0 to 4294967295, not "-1".'],
    [
      ['--kubeconfig', 'kc', '--node', 'n', '--seed', '1'],
      {},
      '--kubeconfig starts no sandbox: omit --seed.',
    ],
    [['--context', 'dev'], {}, '--context needs --kubeconfig.'],
    [
      ['--kubelet-address', '192.0.2.1'],
      {},
      '--kubelet-address needs --kubeconfig: the kubelets of a sandbox listen on 127.0.0.1 (--kubelet-port).',
    ],
    ...[
      'localhost',
      '192.0.2',
      '192.0.2.1:65536',
      '192.0.2.1:',
      'fd00::2',
      '[192.0.2.1]',
      '[fe80::1%eth0]',
      '0.0.0.0',
      '[0::0]:1',
      ':10250',
    ].map((value): readonly [readonly string[], Record<string, string>, string] => [
      ['--kubelet-address', value],
      {},
      `--kubelet-address needs one address of this machine, IP or IP:PORT, with IPv6 in brackets, not "${value}".`,
    ]),
    [
      ['--delete-node-on-exit'],
      {},
      '--delete-node-on-exit needs --kubeconfig: a sandbox ends with the program.',
    ],
    [
      [],
      { NODESCOPE_AGENT_EXIT_CONDITION: '1' },
      '--agent-exit-condition needs --kubeconfig: a sandbox ends with the program.',
    ],
    [
      ['--kubeconfig', 'kc', '--runtime', 'unix:///run/c.sock'],
      {},
      '--runtime is for a node that joins the cluster: also pass --node NAME, or omit it to look only.',
    ],
    [
      ['--kubeconfig', 'kc', '--node', 'n', '--sandbox-port', '1'],
      {},
      '--kubeconfig starts no sandbox: omit --sandbox-port and --sandbox-kubeconfig.',
    ],
    [
      ['--kubeconfig', 'kc', '--node', 'n', '--read-only'],
      {},
      'Joining a cluster writes to it, and --read-only forbids that: omit --read-only or --node.',
    ],
    [
      ['--kubeconfig', 'kc', '--node', 'n'],
      { NODESCOPE_READ_ONLY: '1' },
      'Joining a cluster writes to it, and --read-only forbids that: omit --read-only or --node.',
    ],
    [
      ['--read-only'],
      { NODESCOPE_KUBECONFIG: 'kc', NODESCOPE_NODE: 'n' },
      'Joining a cluster writes to it, and --read-only forbids that: omit --read-only or --node.',
    ],
    [
      ['--ephemeral', '--data-dir', 'd'],
      {},
      '--ephemeral creates its own data folder: omit --data-dir.',
    ],
    [
      ['--serve-cri', '/run/cri.sock'],
      {},
      '--serve-cri needs the address of a socket, unix:///PATH, not "/run/cri.sock".',
    ],
    [
      ['--serve-cri', 'unix://cri.sock'],
      {},
      '--serve-cri needs the address of a socket, unix:///PATH, not "unix://cri.sock".',
    ],
    [
      ['--serve-cri=unix:///run/cri.sock', '--web'],
      {},
      '--serve-cri serves a container runtime and nothing else: omit --web.',
    ],
    [
      ['--runtime', 'unix:///run/containerd/containerd.sock'],
      {},
      '--runtime needs --kubeconfig: the containers of a sandbox are simulated.',
    ],
    [
      ['--kubeconfig', 'kc', '--node', 'n', '--runtime', '/run/containerd/containerd.sock'],
      {},
      '--runtime needs the address of a socket, unix:///PATH, not "/run/containerd/containerd.sock".',
    ],
    [
      ['--serve-cri=unix:///run/cri.sock', '--runtime=unix:///run/cri.sock'],
      {},
      '--serve-cri serves a container runtime and nothing else: omit --runtime.',
    ],
    [[], { NODESCOPE_PORT: 'x' }, 'NODESCOPE_PORT needs a port from 0 to 65535, not "x".'],
    [[], { NODESCOPE_READ_ONLY: 'yes' }, 'NODESCOPE_READ_ONLY must be 1 or 0, not "yes".'],
  ]
  it.each(bad)('refuses %j with %j in one sentence', (argv, environment, message) => {
    expect(parse(argv, environment)).toEqual({ ok: false, error: { exitCode: 2, message } })
  })

  it('prints help and version before it checks anything else', () => {
    expect(parse(['--help', '--prot'], { NODESCOPE_PORT: 'x' })).toEqual({
      ok: false,
      error: { exitCode: 0, message: helpText() },
    })
    expect(parse(['--version'])).toEqual({ ok: false, error: { exitCode: 0, message: '1.2.3' } })
  })

  it('puts everything into a new temporary folder with --ephemeral', () => {
    const one = parse(['--ephemeral'], { NODESCOPE_DATA_DIR: '/d' })
    const two = parse(['--ephemeral'])
    if (!one.ok || !two.ok) throw new Error('must be taken')
    expect(one.value.isEphemeral).toBe(true)
    expect(one.value.dataFolder).toMatch(/^\/tmp\/nodescope-[0-9a-f]{12}$/)
    expect(one.value.manifestsPath).toBe(`${one.value.dataFolder}/manifests`)
    expect(one.value.cluster).toEqual({
      kind: 'sandbox',
      port: null,
      kubeletPort: null,
      kubeconfigPath: `${one.value.dataFolder}/sandbox.kubeconfig`,
    })
    expect(two.value.dataFolder).not.toBe(one.value.dataFolder)
  })

  it('is frozen', () => {
    const config = parse([])
    if (!config.ok) throw new Error('must be taken')
    expect(Object.isFrozen(config.value)).toBe(true)
    expect(Object.isFrozen(config.value.cluster)).toBe(true)
  })
})

describe('the help', () => {
  it('names every option with its placeholder', () => {
    const lines = helpText().split('\n')
    for (const flag of optionFlags) {
      const start = `  --${flag} ${placeholders[options[flag].kind]}`.trimEnd()
      expect(lines.filter((line) => line.startsWith(`${start} `))).toHaveLength(1)
    }
  })
})
