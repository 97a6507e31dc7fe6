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
} from './command.ts'
import { pods } from '../exchange.ts'
import { containersNode, isReady, runs, stays, until } from './containers.ts'

/** 640 times what a runtime writes as one entry of a log: 16 KiB. */
const lineOf9Mb =
  'x=x; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do x=$x$x; done; i=0; while [ $i -lt 560 ]; do printf %s $x; i=$((i+1)); done; echo the end'

const logs = '/api/v1/namespaces/<ns>/pods/bad/log'

/** What a client may send that makes no sense, and what a container may print. */
export const badRequestCommands: readonly CommandScenario[] = [
  {
    title: 'logs that make no sense',
    steps: [
      runs('bad', `echo one; echo two; ${stays}`),
      until(isReady, 'bad'),
      kubectl('logs bad --tail=-1', { prints: /^one\ntwo\n$/ }),
      refused('logs bad --tail=-5', /--tail must be greater than or equal to -1/),
      kubectl('logs bad --since=0s', { prints: /^one\ntwo\n$/ }),
      refused('logs bad --since=-5s', /./),
      refused('logs bad --since-time=yesterday', /./),
      refused('logs bad --since=1s --since-time=2000-01-01T00:00:00Z', /at most one of/),
      kubectl('logs bad --limit-bytes=0', { prints: /^one\ntwo\n$/ }),
      refused('logs bad --limit-bytes=-1', /./),
      kubectl('logs bad --limit-bytes=1', { prints: /^o$/ }),
      kubectl('logs bad --tail=99999999999', { prints: /^one\ntwo\n$/ }),
      refused(`get --raw ${logs}?tailLines=99999999999999999999`, /./),
      refused(`get --raw ${logs}?tailLines=1.5`, /./),
      refused(`get --raw ${logs}?tailLines=`, /parsing ""/),
      refused(`get --raw ${logs}?limitBytes=-1`, /./),
      refused(`get --raw ${logs}?sinceSeconds=-1`, /./),
      kubectl(`get --raw ${logs}?sinceTime=`, { prints: /^one\ntwo\n$/ }),
      kubectl(`get --raw ${logs}?unknown=x`, { prints: /^one\ntwo\n$/ }),
      refused(`get --raw ${logs}?container=`.replace('/log', '/logs'), /./),
      refused(`get --raw ${logs}?container=none`, /container none is not valid for pod bad/),
      refused(`get --raw ${logs}?previous=true`, /previous terminated container "c"/),
      kubectl('logs bad --all-containers --ignore-errors', { prints: /^one\ntwo\n$/ }),
    ],
  },
  {
    title: 'logs and commands of containers that have ended, or never started',
    steps: [
      runs('ended', 'echo last words; exit 3', { restartPolicy: 'Never' }),
      until(`jsonpath='{.status.phase}'=Failed`, 'ended'),
      kubectl('logs ended', { prints: /^last words\n$/ }),
      refused('logs ended -p', /previous terminated container "c" in pod "ended" not found/),
      refused('exec ended -- true', /cannot exec into a container in a completed pod/),
      refused('attach ended', /cannot attach a container in a completed pod/),
      refused(
        'cp ended:/etc/hostname <local>/x',
        /cannot exec into a container in a completed pod/,
      ),
      refused('port-forward ended 0:80', /./),
      runs('half', '', {
        restartPolicy: 'Never',
        containers: [
          { name: 'over', image: 'busybox:1.36', command: ['true'] },
          { name: 'on', image: 'busybox:1.36', command: ['sh', '-c', stays] },
        ],
      }),
      kubectl(
        `wait --for=jsonpath='{.status.containerStatuses[?(@.name=="over")].state.terminated.reason}'=Completed pod/half --timeout=60s`,
      ),
      refused('exec half -c over -- true', /./),
      refused('attach half -c over', /./),
      runs('init', stays, {
        initContainers: [{ name: 'first', image: 'busybox:1.36', command: ['sh', '-c', stays] }],
      }),
      kubectl(
        `wait --for=jsonpath='{.status.initContainerStatuses[0].started}'=true pod/init --timeout=60s`,
      ),
      refused('logs init -c c', /is waiting to start: PodInitializing/),
      refused('exec init -c c -- true', /container not found \("c"\)/),
      created(pods, {
        metadata: { name: 'lost' },
        spec: {
          nodeName: containersNode,
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'c',
              image: 'busybox:1.36',
              command: ['sh', '-c', stays],
              env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'none', key: 'k' } } }],
            },
          ],
        },
      }),
      kubectl(
        `wait --for=jsonpath='{.status.containerStatuses[0].state.waiting.reason}'=CreateContainerConfigError pod/lost --timeout=60s`,
      ),
      refused('logs lost', /is waiting to start: CreateContainerConfigError/),
      refused('exec lost -- true', /container not found \("c"\)/),
    ],
  },
  {
    title: 'commands that make no sense',
    steps: [
      runs('tools', stays),
      runs('none', '', {
        containers: [{ name: 'c', image: 'gcr.io/distroless/static:nonroot' }],
      }),
      until(isReady, 'tools'),
      until(isReady, 'none'),
      refused('exec tools -- nosuch', /exec: "nosuch": executable file not found in \$PATH/),
      refused(
        'exec tools -- /bin/nosuch',
        /exec: "\/bin\/nosuch": stat \/bin\/nosuch: no such file or directory/,
      ),
      refused('exec none -- sh', /exec: "sh": executable file not found in \$PATH/),
      refused('exec -it none -- sh', /exec: "sh": executable file not found in \$PATH/),
      refused('cp none:/etc/passwd <local>/x', /exec: "tar": executable file not found in \$PATH/),
      refused("exec tools -- ''", /./),
      kubectl(String.raw`exec tools -- printf 'a\000b\377c\n'`),
      kubectl('exec tools -- cat /none', { code: 1, prints: /No such file or directory/ }),
    ],
  },
  {
    title: 'output that is not text',
    steps: [
      runs('noise', String.raw`printf 'a\000b\377c\n\303\050\n'; printf '\342\202'; ${stays}`),
      until(isReady, 'noise'),
      kubectl('logs noise', { prints: /^a\0b\uFFFDc\n\uFFFD\(\n/ }),
      kubectl('logs noise --limit-bytes=4'),
      kubectl(`get --raw ${logs.replace('bad', 'noise')}?tailLines=1`),
    ],
  },
  {
    title: 'a line of 9 MB',
    steps: [
      runs('long', `${lineOf9Mb}; ${stays}`),
      until(isReady, 'long'),
      kubectl('logs long --tail=1', { prints: /^the end\n$/ }),
      kubectl('logs long --tail=2', { prints: /^x{16384}the end\n$/ }),
      kubectl('logs long --tail=2 --limit-bytes=3', { prints: /^xxx$/ }),
      kubectl('logs long --tail=2 --timestamps', { prints: /^a time x{16384}the end\n$/ }),
      start('follow', kubectl('logs long -f --tail=1', { code: 1 })),
      printed('follow', /the end/),
      interrupted('follow'),
      kubectl('exec long -- echo answers', { prints: /^answers\n$/ }),
    ],
  },
  {
    title: 'ports that nothing listens on',
    steps: [
      runs('closed', stays),
      until(isReady, 'closed'),
      refused('port-forward closed 0', /./),
      refused('port-forward closed 0:0', /./),
      refused('port-forward closed 0:70000', /./),
      refused('port-forward closed -- -5', /./),
      refused('port-forward closed 0:http', /./),
      start('forward', kubectl('port-forward closed 0:81', { code: 1 })),
      requested('forward', /^$/),
      ended('forward'),
    ],
  },
]
