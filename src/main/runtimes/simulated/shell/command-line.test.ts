import { describe, expect, it } from 'vitest'
import type { CommandLine } from './command-line.ts'
import { readCommand } from './command-line.ts'
import { FakeContainer, fakeShell } from '../process/fake-container.ts'

interface Expected {
  /** Exit code and second of the end when it is not stopped; undefined: it runs on. */
  readonly alone: readonly [exitCode: number, at: number] | undefined
  /** The same when SIGTERM comes at second 2.5 and SIGKILL 30 s later. */
  readonly stopped: readonly [exitCode: number, at: number]
}

/** Pods of the Kubernetes documentation (kubernetes.io/docs, as of 1.34), by what their containers run. */
const documented: readonly (readonly [string, Partial<CommandLine>, Expected])[] = [
  [
    'init-containers: myapp-container',
    { command: ['sh', '-c', 'echo The app is running! && sleep 3600'] },
    { alone: [0, 3600], stopped: [137, 32.5] },
  ],
  [
    'init-containers: init-myservice waits for DNS, which does not exist here',
    {
      command: [
        'sh',
        '-c',
        'until nslookup myservice.$(cat /var/run/secrets/kubernetes.io/serviceaccount/namespace).svc.cluster.local; do echo waiting for myservice; sleep 2; done',
      ],
    },
    { alone: undefined, stopped: [137, 32.5] },
  ],
  [
    'liveness: exec-liveness',
    {
      args: ['/bin/sh', '-c', 'touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600'],
    },
    { alone: [0, 630], stopped: [137, 32.5] },
  ],
  [
    'logging: counter',
    {
      args: ['/bin/sh', '-c', 'i=0; while true; do echo "$i: $(date)"; i=$((i+1)); sleep 1; done'],
    },
    { alone: undefined, stopped: [137, 32.5] },
  ],
  [
    'logging: two files',
    {
      args: [
        '/bin/sh',
        '-c',
        'i=0;\nwhile true;\ndo\n  echo "$i: $(date)" >> /var/log/1.log;\n  echo "$(date) INFO $i" >> /var/log/2.log;\n  i=$((i+1));\n  sleep 1;\ndone\n',
      ],
    },
    { alone: undefined, stopped: [137, 32.5] },
  ],
  [
    'logging: streaming sidecar',
    { args: ['/bin/sh', '-c', 'tail -n+1 -F /var/log/1.log'] },
    { alone: undefined, stopped: [137, 32.5] },
  ],
  [
    'sidecar: logshipper',
    { command: ['sh', '-c', 'tail -F /opt/logs.txt'], image: 'alpine:latest' },
    { alone: undefined, stopped: [137, 32.5] },
  ],
  [
    'sidecar: myapp',
    {
      command: ['sh', '-c', 'while true; do echo "logging" >> /opt/logs.txt; sleep 1; done'],
      image: 'alpine:latest',
    },
    { alone: undefined, stopped: [137, 32.5] },
  ],
  [
    'job: pi (perl is not read)',
    { command: ['perl', '-Mbignum=bpi', '-wle', 'print bpi(2000)'], image: 'perl:5.34.0' },
    { alone: undefined, stopped: [0, 2.5] },
  ],
  [
    'job expansion: $ITEM',
    { command: ['sh', '-c', 'echo Processing item apple && sleep 5'] },
    { alone: [0, 5], stopped: [0, 5] },
  ],
  [
    'cronjob: hello',
    { command: ['/bin/sh', '-c', 'date; echo Hello from the Kubernetes cluster'] },
    { alone: [0, 0], stopped: [0, 0] },
  ],
  [
    'pod failure policy: exit 42',
    {
      command: ['bash'],
      args: [
        '-c',
        'echo "Hello world! I\'m going to exit with 42 to simulate a software bug."\nsleep 30\nexit 42\n',
      ],
    },
    { alone: [42, 30], stopped: [42, 30] },
  ],
  [
    'pod failure policy: ignore',
    { command: ['bash'], args: ['-c', "echo 'Hello world! I will be evicted' && sleep 90"] },
    { alone: [0, 90], stopped: [137, 32.5] },
  ],
  [
    'termination message',
    { command: ['/bin/sh'], args: ['-c', 'sleep 10 && echo Sleep expired > /dev/termination-log'] },
    { alone: [0, 10], stopped: [0, 10] },
  ],
  [
    'define a command: printenv',
    { command: ['printenv'], args: ['HOSTNAME', 'KUBERNETES_PORT'], image: 'debian' },
    { alone: [0, 0], stopped: [0, 0] },
  ],
  [
    'define environment: print-greeting',
    { command: ['echo'], args: ['Warm greetings to The Most Honorable Kubernetes'], image: 'bash' },
    { alone: [0, 0], stopped: [0, 0] },
  ],
  [
    'downward API: environment',
    {
      command: ['sh', '-c'],
      args: [
        "while true; do\n  echo -en '\\n';\n  printenv MY_NODE_NAME MY_POD_NAME;\n  sleep 10;\ndone;",
      ],
      environment: new Map([['MY_NODE_NAME', 'n']]),
    },
    { alone: undefined, stopped: [137, 32.5] },
  ],
  [
    'volumes: /bin/sh -ec',
    { command: ['/bin/sh', '-ec', "while :; do echo '.'; sleep 5 ; done"] },
    { alone: undefined, stopped: [137, 32.5] },
  ],
  [
    'shared volume',
    {
      command: ['/bin/sh'],
      args: ['-c', 'echo Hello from the debian container > /pod-data/index.html'],
      image: 'debian',
    },
    { alone: [0, 0], stopped: [0, 0] },
  ],
  [
    'volumes: cat of a file',
    { command: ['/bin/sh', '-c', 'cat /etc/config/special.how'] },
    { alone: [0, 0], stopped: [0, 0] },
  ],
  ['static pod: nginx', { image: 'nginx' }, { alone: undefined, stopped: [0, 2.5] }],
  [
    'security context: sleep 1h',
    { command: ['sh', '-c', 'sleep 1h'], image: 'busybox:1.28' },
    { alone: [0, 3600], stopped: [137, 32.5] },
  ],
  [
    'ephemeral storage: sleep 3600 as a command',
    { command: ['sleep', '3600'] },
    { alone: [0, 3600], stopped: [137, 32.5] },
  ],
]

/** What the documented pods mount. */
const volumes = { '/etc/config/special.how': 'very', '/pod-data/none': '' }

describe('the pods of the Kubernetes documentation', () => {
  it.for(documented)('%s: left alone', async ([, line, { alone }]) => {
    const container = new FakeContainer(line, { files: volumes })
    await container.seconds(20_000)
    const { exit } = container
    expect(exit === undefined ? undefined : [exit.exitCode, exit.at / 1000]).toEqual(alone)
  })

  it.for(documented)('%s: after SIGTERM', async ([, line, { stopped }]) => {
    const container = new FakeContainer(line, { files: volumes })
    await container.seconds(2.5)
    container.process.terminate()
    await container.seconds(30)
    container.process.kill()
    expect([container.exit?.exitCode, (container.exit?.at ?? Number.NaN) / 1000]).toEqual(stopped)
  })
})

function read(line: Partial<CommandLine>): string {
  const command = readCommand({
    image: 'app:v1',
    command: [],
    args: [],
    environment: new Map(),
    ...line,
  })
  return command.kind === 'script' ? 'script' : command.why
}

describe('what is run', () => {
  it.for([
    ['sh', '-c', 'exit 3'],
    ['/bin/sh', '-c', 'exit 3'],
    ['bash', '-c', 'exit 3'],
    ['/bin/bash', '-c', 'exit 3'],
    ['/usr/bin/bash', '-c', 'exit 3'],
    ['ash', '-c', 'exit 3'],
    ['/bin/ash', '-c', 'exit 3'],
    ['dash', '-c', 'exit 3'],
    ['sh', '-e', '-c', 'false; exit 4', 'name'].with(3, 'exit 3'),
    ['sh', '-xc', 'exit 3'],
    ['sh', '-lc', 'exit 3'],
    ['sh', '-c', '--', 'exit 3'],
    ['sh', '-c', 'exit $1', 'name', '3'],
    ['sh', '-c', 'exit $#', 'name', '1', '2', '3'],
    ['sh', '-ce', 'sh() { return 3; }; sh; exit 4'],
    ['exit', '3'],
  ])('%j ends 3', async (command) => {
    const container = new FakeContainer({ command })
    await container.seconds(1)
    expect(container.exit).toEqual({ exitCode: 3, at: 0, bySignal: undefined })
  })

  it('is the command followed by the args', async () => {
    const container = new FakeContainer({ command: ['sleep'], args: ['2'] })
    await container.seconds(3)
    expect(container.exit?.at).toBe(2000)
  })

  it('takes the words of a command without a shell as they are', async () => {
    const container = new FakeContainer({ command: ['test', '$HOME', '=', '$HOME'] })
    expect(container.exit?.exitCode).toBe(0)
    const split = new FakeContainer({ command: ['[', 'a b', '=', 'a b', ']'] })
    expect(split.exit?.exitCode).toBe(0)
  })

  it('is read from args alone where the image is known to add nothing, or they begin with a shell', () => {
    const args = ['sleep', '5']
    expect(read({ args })).toBe(
      'args without a command: what the image runs them with is not known',
    )
    for (const image of [
      'busybox',
      'busybox:1.36',
      'docker.io/library/alpine:3',
      'ubuntu@sha256:1',
    ]) {
      expect(read({ image, args })).toBe('script')
    }
    for (const image of ['mybusybox', 'busybox/x', 'nginx']) {
      expect(read({ image, args })).not.toBe('script')
    }
    expect(read({ args: ['/bin/sh', '-c', 'sleep 5'] })).toBe('script')
  })

  it('has the environment', async () => {
    const environment = new Map([['CODE', '4']])
    expect(
      new FakeContainer({ command: ['sh', '-c', 'exit $CODE'], environment }).exit,
    ).toMatchObject({ exitCode: 4 })
    const printenv = (name: string) =>
      new FakeContainer({ command: ['printenv', name], environment }).exit?.exitCode
    expect([printenv('CODE'), printenv('NOPE'), printenv('HOME')]).toEqual([0, 1, 0])
  })
})

describe('what is not read', () => {
  it.for([
    [],
    ['perl', '-e', '1'],
    ['/no/such'],
    ['/opt/bin/sleep', '3'],
    ['sleep 3600'],
    ['sh', '/run.sh'],
    ['sh', '-c'],
    ['sh', '-i', '-c', 'exit 3'],
    ['trap', 'exit 3', 'TERM'],
    ['wait'],
    ['sh', '-c', 'exit 3', 'x'].with(2, 'exit 3; nginx'),
  ])('%j runs until SIGTERM and exits 0', async (command) => {
    const container = new FakeContainer({ image: 'nginx:1.27', command })
    await container.seconds(100_000)
    expect(container.exit).toBeUndefined()
    expect(container.unreadable).toHaveLength(1)
    container.process.terminate()
    expect(container.exit).toEqual({ exitCode: 0, at: 100_000_000, bySignal: 'SIGTERM' })
  })

  it.for([
    'nginx -g "daemon off;"',
    'exit 3; vi http://example.com',
    'if false; then vi x; fi',
    'f() { python3 x.py; }; exit 3',
    "trap 'service web stop' TERM; sleep 5",
    'echo $(vi x)',
    'x=`vi x`',
    'exit 3 &&',
    '&& exit 3',
    'exit 3; ; exit 4',
    'if true; exit 3; fi',
    'while true; do sleep 1',
    'for i in 1 2; do done',
    'for i; do :; done',
    '(exit 3',
    'exit 3)',
    '}',
    "echo 'open",
    'echo "open',
    'echo $(date',
    'echo $((1',
    'echo $((1+))',
    'echo $((x=5))',
    'echo $((1 << 2))',
    'exit $((08))',
    '((i++))',
    '( (exit 3) )'.replace('( (', '(('),
    'x=(a b)',
    'echo ${x/y/z}',
    'echo ${x:1}',
    'echo $RANDOM',
    "echo $'a'",
    'for i in {1..3}; do :; done',
    'echo {a,b}',
    '[ 1 -lt 2',
    '[[ a = a ]] && exit 3'.replace('a ]]', 'a*'),
    'sleep 1e3',
    'cat /dev/zero',
    'a |& b',
    'echo a | perl -ne print',
    'case $x in a) nginx ;; esac',
    'case $x in a) :',
    '[ ( a = a ) ]',
    '[ a -ot b ]',
    'cat <<< x',
    'tail -f -c 5 f',
    'grep "[[.a.]]" f',
    'read -t 5 x',
    'cat 3< f',
    'ls --color',
    'cp one',
    'vi f',
    'ln a b',
    'eval exit 3',
    '. /run.sh',
    'sh -c "exit 3"',
    'timeout 5 sleep 10',
    'time sleep 5',
    'exit -1',
    'exit 1 2',
    'kill %1',
    'kill -INT 5',
    'kill 0',
    'kill -- -1',
    'wait -n',
    'wait %1',
    'set -k',
    'trap "exit 3" CHLD',
    'trap "exit 3" ERR',
    'trap -p',
    'trap 15 TERM',
    'exec nginx',
    'exec exit 3',
    '$CMD',
    'X=1 exit 3',
    'seq 1 2 3 4',
    'expr a : b',
    'env x=1 sleep 5',
    'export 1x=2',
    `${'('.repeat(80)}`,
    `${'{ '.repeat(80)}:${'; }'.repeat(80)}`,
    `echo ${'$(echo '.repeat(80)}x${')'.repeat(80)}`,
    `echo ${'x'.repeat(70_000)}`,
  ])('sh -c %j, wherever the part stands', async (script) => {
    expect(read({ image: 'nginx', command: ['sh', '-c', script] })).not.toBe('script')
  })

  it.for([
    ['a status that only a real container knows', 'sleep 1; x=$(uname -r); exit $x'],
    [
      'a number of rounds that only a real container knows',
      'sleep 1; for i in $(uname -r); do :; done',
    ],
    ['a duration that only a real container knows', 'sleep 1; x=$(uname -r); sleep $x'],
    ['a negative status', 'sleep 1; x=-1; exit $x'],
    ['a division by zero', 'sleep 1; x=0; exit $((1 / x))'],
    ['a variable that is not set, under set -u', 'sleep 1; set -u; echo $nope'],
    ['return outside a function', 'sleep 1; return 3'],
    ['a function that never returns', 'sleep 1; f() { f; }; f'],
    ['a fork bomb', 'sleep 1; f() { f & f & }; f; sleep 9'],
    ['children without end', 'sleep 1; while true; do sleep 9999 & sleep 0.001; done'],
    [
      'a value that doubles',
      'sleep 1; x=xxxxxxxx; while true; do x=$x$x; [ "$x" = y ] && break; done',
    ],
  ])('turns out on the way: %s', async ([, script]) => {
    const container = fakeShell(script ?? '')
    await container.seconds(0.9)
    expect(container.unreadable).toEqual([])
    await container.seconds(5)
    expect(container.unreadable).toHaveLength(1)
    expect(container.exit).toBeUndefined()
    expect(container.clock.pendingTimers).toBe(0)
    container.process.terminate()
    expect(container.exit).toMatchObject({ exitCode: 0, bySignal: 'SIGTERM' })
  })

  it('ends at once when it turns out so only after SIGTERM', async () => {
    const container = fakeShell(
      'trap \'x=$(uname -r); exit "$x"\' TERM; while true; do sleep 1; done',
    )
    await container.seconds(0.5)
    container.process.terminate()
    await container.seconds(1)
    expect(container.exit).toEqual({ exitCode: 0, at: 1000, bySignal: 'SIGTERM' })
  })
})
