import { pods } from '../exchange.ts'
import {
  created,
  ended,
  interrupted,
  kubectl,
  printed,
  refused,
  requested,
  start,
  type CommandScenario,
  type CommandStep,
} from './command.ts'

/** The node of these scenarios: a name that leads to this machine, because a kube-apiserver asks its kubelet by name. */
export const containersNode = 'localhost'

type Fields = Readonly<Record<string, unknown>>

function container(name: string, script: string): Fields {
  return { name, image: 'busybox:1.36', command: ['sh', '-c', script] }
}

/** A pod on the node. */
export function runs(name: string, script: string, more: Fields = {}): CommandStep {
  const spec = {
    nodeName: containersNode,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 1,
    containers: [container('c', script)],
    ...more,
  }
  return created(pods, { metadata: { name }, spec })
}

/** Waits for it. */
export function until(what: string, name: string): CommandStep {
  return kubectl(`wait --for=${what} pod/${name} --timeout=60s`, { prints: /condition met/ })
}

export const isReady = 'condition=Ready'
const hasSucceeded = `jsonpath='{.status.phase}'=Succeeded`
export const stays = 'exec sleep 100000'

/** kubectl logs, and what the API server passes on to a kubelet. */
export const containerCommands: readonly CommandScenario[] = [
  {
    title: 'logs of a container that runs, and what they are narrowed to',
    steps: [
      runs('talks', `for i in 1 2 3 4 5; do echo line $i; done; echo wrong >&2; ${stays}`),
      until(isReady, 'talks'),
      kubectl('logs talks', { prints: /^line 1\nline 2\nline 3\nline 4\nline 5\nwrong\n$/ }),
      kubectl('logs pod/talks -c c --tail=2', { prints: /^line 5\nwrong\n$/ }),
      kubectl('logs talks --tail=0', { prints: /^$/ }),
      kubectl('logs talks --timestamps --tail=1', { prints: /^a time wrong\n$/ }),
      kubectl('logs talks --limit-bytes=10', { prints: /^line 1\nlin$/ }),
      kubectl('logs talks --since=1h --tail=1'),
      kubectl('logs talks --since-time=2000-01-01T00:00:00Z --tail=1'),
      kubectl('logs talks --since-time=2100-01-01T00:00:00Z', { prints: /^$/ }),
      kubectl('logs talks --prefix --tail=1', { prints: /^\[pod\/talks\/c\] wrong\n$/ }),
      refused('logs talks -c other', /container other is not valid for pod talks/),
      refused(
        'logs talks --previous',
        /previous terminated container "c" in pod "talks" not found/,
      ),
      refused('logs talks --tail=-2', /./),
      refused('logs talks --since=0s --limit-bytes=-1', /./),
      refused('logs missing', /"missing" not found/),
      kubectl(`get --raw /api/v1/namespaces/<ns>/pods/talks/log?tailLines=1`, {
        prints: /^wrong\n$/,
      }),
      refused(`get --raw /api/v1/namespaces/<ns>/pods/talks/log?tailLines=x`, /./),
      refused(`get --raw /api/v1/namespaces/<ns>/pods/talks/log?tailLines=-1`, /./),
      refused(`get --raw /api/v1/namespaces/<ns>/pods/talks/log?sinceSeconds=0`, /./),
      refused(`get --raw /api/v1/namespaces/<ns>/pods/talks/log?limitBytes=0`, /./),
      refused(`get --raw /api/v1/namespaces/<ns>/pods/talks/log?sinceTime=now`, /./),
      refused(`get --raw /api/v1/namespaces/<ns>/pods/talks/log?stream=Stdout`, /./),
      refused(
        `get --raw /api/v1/namespaces/<ns>/pods/talks/log?sinceSeconds=5&sinceTime=2000-01-01T00:00:00Z`,
        /at most one of/,
      ),
    ],
  },
  {
    title: 'logs of a container that has ended, and of its restarts',
    steps: [
      runs('once', 'echo one; printf two', { restartPolicy: 'Never' }),
      until(hasSucceeded, 'once'),
      kubectl('logs once', { prints: /^one\ntwo$/ }),
      kubectl('logs once -f', { prints: /^one\ntwo$/ }),
      kubectl('logs once --timestamps --tail=1', { prints: /^a time two$/ }),
      runs('again', '', {
        containers: [
          {
            ...container(
              'c',
              `if test -e /tmp/d/x; then echo second; ${stays}; fi; touch /tmp/d/x; echo first; exit 3`,
            ),
            volumeMounts: [{ name: 'd', mountPath: '/tmp/d' }],
          },
        ],
        volumes: [{ name: 'd', emptyDir: {} }],
      }),
      kubectl(
        `wait --for=jsonpath='{.status.containerStatuses[0].restartCount}'=1 pod/again --timeout=60s`,
      ),
      until(isReady, 'again'),
      kubectl('logs again', { prints: /^second\n$/ }),
      kubectl('logs again -p', { prints: /^first\n$/ }),
    ],
  },
  {
    title: 'logs of a pod with several containers',
    steps: [
      runs('many', stays, {
        initContainers: [container('before', 'echo prepared')],
        containers: [container('a', `echo of a; ${stays}`), container('b', `echo of b; ${stays}`)],
      }),
      until(isReady, 'many'),
      kubectl('logs many', { prints: /Defaulted container "a" out of: a, b, before \(init\)/ }),
      kubectl('logs many -c b', { prints: /^of b\n$/ }),
      kubectl('logs many -c before', { prints: /^prepared\n$/ }),
      refused(`get --raw /api/v1/namespaces/<ns>/pods/many/log`, /choose one of/),
    ],
  },
  {
    title: 'logs that are followed until the container ends',
    steps: [
      runs('counts', 'echo the start; until test -f /tmp/end; do sleep 1; done; echo the end', {
        restartPolicy: 'Never',
      }),
      until(isReady, 'counts'),
      start('follow', kubectl('logs counts -f')),
      printed('follow', /the start/),
      kubectl('exec counts -- touch /tmp/end'),
      printed('follow', /the end/),
      ended('follow'),
      runs('forever', `echo tick; ${stays}`),
      until(isReady, 'forever'),
      start('stopped', kubectl('logs forever -f --tail=1', { code: 1 })),
      printed('stopped', /tick/),
      interrupted('stopped'),
    ],
  },
  {
    title: 'logs of containers that have not started',
    steps: [
      runs('no-image', stays, {
        containers: [
          { name: 'c', image: 'registry.invalid/none:1', imagePullPolicy: 'Never', command: ['x'] },
        ],
      }),
      kubectl(
        `wait --for=jsonpath='{.status.containerStatuses[0].state.waiting.reason}'=ErrImageNeverPull pod/no-image --timeout=60s`,
      ),
      refused('logs no-image', /is waiting to start: ErrImageNeverPull/),
      refused('logs no-image -f', /is waiting to start: ErrImageNeverPull/),
      created(pods, {
        metadata: { name: 'nowhere' },
        spec: { containers: [container('c', stays)], nodeSelector: { no: 'node' } },
      }),
      kubectl('logs nowhere', { prints: /^$/ }),
    ],
  },
  {
    title: 'commands in a container',
    steps: [
      runs('shell', stays),
      until(isReady, 'shell'),
      kubectl('exec shell -- echo hello', { prints: /^hello\n$/ }),
      kubectl("exec shell -c c -- sh -c 'echo out; echo err >&2; exit 7'", {
        code: 7,
        prints: /command terminated with exit code 7/,
      }),
      kubectl('exec -i shell -- cat', { stdin: 'some input\n', prints: /^some input\n$/ }),
      kubectl('exec -i shell -- sh', { stdin: 'echo one\nexit 4\n', code: 4, prints: /^one\n/ }),
      kubectl('exec shell -- cat /etc/hostname', { prints: /^shell\n$/ }),
      refused('exec shell -c other -- true', /container other is not valid for pod shell/),
      refused('exec missing -- true', /"missing" not found/),
      refused('exec shell', /you must specify at least one command/),
      runs('over', 'exit 0', { restartPolicy: 'Never' }),
      until(hasSucceeded, 'over'),
      refused('exec over -- true', /cannot exec into a container in a completed pod/),
      runs('waits', stays, {
        containers: [{ ...container('c', stays), image: 'none:1', imagePullPolicy: 'Never' }],
      }),
      kubectl(
        `wait --for=jsonpath='{.status.containerStatuses[0].state.waiting.reason}'=ErrImageNeverPull pod/waits --timeout=60s`,
      ),
      refused('exec waits -- true', /container not found \("c"\)/),
      refused('attach waits', /./),
      created(pods, {
        metadata: { name: 'unbound' },
        spec: { containers: [container('c', stays)], nodeSelector: { no: 'node' } },
      }),
      refused('exec unbound -- true', /pod unbound does not have a host assigned/),
    ],
  },
  {
    title: 'input and output of a container that runs',
    steps: [
      runs('reads', '', {
        restartPolicy: 'Never',
        containers: [
          {
            ...container('c', 'read line; echo got $line'),
            stdin: true,
            stdinOnce: true,
          },
        ],
      }),
      until(isReady, 'reads'),
      start('attached', kubectl('attach -i reads -q', { stdin: 'words\n' })),
      printed('attached', /got words/),
      ended('attached'),
      kubectl('logs reads', { prints: /^got words\n$/ }),
    ],
  },
  {
    title: 'ports that are forwarded',
    steps: [
      runs('quiet', stays),
      until(isReady, 'quiet'),
      refused('port-forward quiet', /TYPE\/NAME and list of ports are required/),
      refused('port-forward missing 0:80', /"missing" not found/),
      refused('port-forward quiet x', /./),
      runs('serves', stays, { containers: [{ name: 'c', image: 'nginx:1.29' }] }),
      until(isReady, 'serves'),
      start('forwarded', kubectl('port-forward serves 0:80')),
      requested('forwarded', /200 OK[^]*Welcome to nginx!/),
      requested('forwarded', /200 OK[^]*Welcome to nginx!/),
      interrupted('forwarded'),
    ],
  },
]

const measured = 'simulated.nodescope.dev'

/** One container uses a quarter of a CPU and 64 MiB, the other one half of that. */
const usedPod: Fields = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'used',
    labels: { app: 'used' },
    annotations: {
      [`${measured}/cpu.a`]: '250m',
      [`${measured}/memory.a`]: '64Mi',
      [`${measured}/cpu.b`]: '125m',
      [`${measured}/memory.b`]: '32Mi',
    },
  },
  spec: {
    nodeName: containersNode,
    automountServiceAccountToken: false,
    containers: [container('a', stays), container('b', stays)],
  },
}

/** As the printed text has it in which ages are replaced: `375m` reads as one. */
const cpu = 'an age'

/** kubectl top. A kube-apiserver has nothing for it without metrics-server. */
export const topCommands: readonly CommandStep[] = [
  created(pods, usedPod),
  until(isReady, 'used'),
  kubectl('top pod', {
    prints: new RegExp(`^NAME +CPU\\(cores\\) +MEMORY\\(bytes\\) *\nused +${cpu} +96Mi *\n$`),
  }),
  kubectl('top pod used --containers --no-headers', {
    prints: new RegExp(`^used +a +${cpu} +64Mi *\nused +b +${cpu} +32Mi *\n$`),
  }),
  kubectl('top pod -l app=used --no-headers', {
    prints: new RegExp(`^used +${cpu} +96Mi *\n$`),
  }),
  kubectl('top pod -l app=other', { prints: /No resources found in <ns> namespace/ }),
  refused('top pod missing', /pods "missing" not found/),
  kubectl('top node', { prints: /^NAME +CPU\(cores\) +CPU.*MEMORY.*\nlocalhost / }),
  kubectl('get podmetrics', { prints: /^NAME +CPU +MEMORY +WINDOW\nused .*96Mi/ }),
  kubectl('get --raw /apis/metrics.k8s.io/v1beta1/namespaces/<ns>/pods', {
    prints: new RegExp(`"cpu":"${cpu}","memory":"64Mi"`),
  }),
]
