import {
  atRest,
  created,
  kubectl,
  printed,
  refused,
  start,
  statusOf,
  type CommandScenario,
} from './command.ts'
import { onRole, readyNode, rolledOut, runs, unordered, workload } from './workload-objects.ts'

const jobYaml = `apiVersion: batch/v1
kind: Job
metadata: {name: bad}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: registry.example/fail:3}]
`

const eviction = /^(evicting pod|error when evicting)/

const nodeAnnotation = 'the sandbox has no TTL controller'

/** Which nodes there are depends on the other scenarios; scheduler.test.ts compares what is said of them. */
const notScheduled = { ...unordered, dependsOnTime: /FailedScheduling/ } as const

const describesNode = (prints: RegExp) => ({
  ...unordered,
  prints,
  // The kubelets' stand-in renews a lease at its own pace.
  dependsOnTime: /^ +RenewTime:/,
  differs: [{ lines: /node.alpha|^Annotations:/, why: nodeAnnotation }],
})

const deployment = (name: string, replicas: number): string =>
  workload('Deployment', name, { spec: { replicas }, pod: onRole('<ns>') })

/** Objects that own others, and what drains, deletions and quotas do with them. */
export const ownerCommands: readonly CommandScenario[] = [
  {
    title: 'jobs',
    steps: [
      kubectl('create job hello --image=registry.example/succeed:1 -- echo hi', {
        prints: /^job\.batch\/hello created$/m,
      }),
      kubectl('wait --for=condition=complete job/hello --timeout=60s', { prints: /condition met/ }),
      atRest,
      kubectl('get jobs', { prints: /^hello +Complete +1\/1/m }),
      kubectl('get job hello -o wide', { prints: /controller-uid/ }),
      kubectl('get job hello -o yaml', { prints: /completionTime/ }),
      kubectl('describe job hello', { ...unordered, prints: /Completed/ }),
      kubectl('get pods -l job-name=hello', { prints: /Completed/ }),
      kubectl('apply -f -', { stdin: jobYaml, prints: /created/ }),
      kubectl('wait --for=condition=failed job/bad --timeout=60s', { prints: /condition met/ }),
      atRest,
      kubectl('get jobs', { prints: /^bad +Failed +0\/1/m }),
      kubectl('describe job bad', { ...unordered, prints: /BackoffLimitExceeded/ }),
      refused('scale job bad --replicas=2', /./),
      refused('create job again --from=job/hello', /unknown object type/),
      refused(`patch job hello --type=merge -p {"spec":{"completions":2}}`, /field is immutable/),
      kubectl('delete job hello', { prints: /deleted/ }),
      kubectl('delete job bad --cascade=foreground', { prints: /deleted/ }),
      atRest,
      kubectl('get jobs,pods', { prints: /No resources found/ }),
    ],
  },
  {
    title: 'cron jobs',
    steps: [
      kubectl(
        `create cronjob tick --image=registry.example/succeed:1 --schedule='0 0 1 1 *' -- echo hi`,
        { prints: /^cronjob\.batch\/tick created$/m },
      ),
      refused(
        `create cronjob bad --image=${runs} --schedule='60 * * * *'`,
        /end of range \(60\) above maximum \(59\): 60/,
      ),
      atRest,
      kubectl('get cronjobs', { prints: /^tick +0 0 1 1 \* +<none> +False +0 +<none>/m }),
      kubectl('get cj tick -o wide', { prints: /registry\.example\/succeed:1/ }),
      kubectl('describe cronjob tick', { prints: /^Last Schedule Time: +<unset>$/m }),
      kubectl('create job by-hand --from=cronjob/tick', { prints: /job\.batch\/by-hand created/ }),
      kubectl('wait --for=condition=complete job/by-hand --timeout=60s', {
        prints: /condition met/,
      }),
      atRest,
      kubectl('get job by-hand -o yaml', {
        prints: /cronjob\.kubernetes\.io\/instantiate: manual/,
      }),
      // kubectl 1.27 does not make the CronJob the controller of that Job.
      kubectl('describe cj tick', { ...unordered, prints: /UnexpectedJob/, since: 28 }),
      // As if it had last been due two years before the last time.
      statusOf('/apis/batch/v1/namespaces/<ns>/cronjobs/tick', {
        lastScheduleTime: '2024-12-01T00:00:00Z',
      }),
      // `kubectl wait` of 1.27 has no path without a value.
      start(
        'succeeded',
        kubectl(`get jobs --watch -o jsonpath='{.metadata.name} {.status.succeeded}{"\\n"}'`),
      ),
      printed('succeeded', /^tick-\d{8} 1$/m),
      atRest,
      kubectl('get cronjobs,jobs,pods', { prints: /^job\.batch\/tick-\d{8} +Complete +1\/1/m }),
      kubectl('get cronjob tick -o jsonpath={.status.lastScheduleTime}', { prints: /a time/ }),
      kubectl('describe cronjob tick', { ...unordered, prints: /Created job tick-\d{8}/ }),
      kubectl('get events --field-selector involvedObject.kind=CronJob', {
        ...unordered,
        prints: /Saw completed job: tick-\d{8}, condition: Complete/,
      }),
      kubectl(`patch cronjob tick -p {"spec":{"suspend":true}}`, { prints: /patched/ }),
      kubectl('get cronjob tick', { prints: /^tick +0 0 1 1 \* +<none> +True/m }),
      kubectl('delete cronjob tick --cascade=foreground', { prints: /deleted/ }),
      atRest,
      kubectl('get cronjobs,jobs,pods', { prints: /No resources found/ }),
      kubectl(`create cronjob idle --image=${runs} --schedule=@yearly --restart=Never`),
      kubectl('delete cj idle', { prints: /cronjob\.batch "idle" deleted/ }),
      refused('get cronjob idle', /cronjobs\.batch "idle" not found/),
    ],
  },
  {
    title: 'a drain of nodes with owners and budgets',
    steps: [
      ...readyNode('<ns>-a', '<ns>'),
      ...readyNode('<ns>-b', '<ns>'),
      kubectl('cordon <ns>-b'),
      kubectl('apply -f -', { stdin: deployment('web', 2) }),
      kubectl('apply -f -', { stdin: workload('DaemonSet', 'agent', { pod: onRole('<ns>') }) }),
      rolledOut('deployment/web'),
      rolledOut('daemonset/agent'),
      kubectl('uncordon <ns>-b'),
      kubectl('create poddisruptionbudget guard --selector=app=web --min-available=1', {
        prints: /poddisruptionbudget\.policy\/guard created/,
      }),
      kubectl(`wait pdb/guard --for=jsonpath={.status.disruptionsAllowed}=1 --timeout=60s`),
      atRest,
      kubectl('get pdb', { prints: /^guard +1 +N\/A +1/m }),
      kubectl('describe pdb guard', { prints: /Allowed disruptions: +1/ }),
      kubectl('get pods -o wide', { ...unordered, prints: /<ns>-a/ }),
      kubectl('describe node <ns>-a', describesNode(/Non-terminated Pods: +\(3 in total\)/)),
      refused('drain <ns>-a', /cannot delete DaemonSet-managed Pods/),
      kubectl('drain <ns>-a --ignore-daemonsets --dry-run=server', {
        ...unordered,
        prints: /dry run/,
      }),
      kubectl('drain <ns>-a --ignore-daemonsets --timeout=90s', {
        ...unordered,
        dependsOnTime: eviction,
        prints: /^node\/<ns>-a drained$/m,
      }),
      rolledOut('deployment/web'),
      atRest,
      kubectl('get pods -l app=web -o wide', { ...unordered, prints: /<ns>-b/ }),
      kubectl('get node <ns>-a', { prints: /Ready,SchedulingDisabled/ }),
      kubectl(`patch pdb guard --type=merge -p {"spec":{"minAvailable":2}}`),
      kubectl(`wait pdb/guard --for=jsonpath={.status.disruptionsAllowed}=0 --timeout=60s`),
      refused('drain <ns>-b --ignore-daemonsets --timeout=2s', /global timeout reached: |an age/, {
        ...unordered,
        dependsOnTime: eviction,
      }),
      kubectl('drain <ns>-b --ignore-daemonsets --disable-eviction --timeout=60s', {
        ...unordered,
        dependsOnTime: eviction,
        prints: /drained/,
      }),
      atRest,
      kubectl('get pods -l app=web', { ...unordered, prints: /Pending/ }),
      kubectl('describe pods -l app=web', {
        ...notScheduled,
        prints: /node\(s\) were unschedulable/,
      }),
      kubectl('uncordon <ns>-a <ns>-b', { prints: /node\/<ns>-b uncordoned/ }),
      rolledOut('deployment/web'),
      kubectl('delete deployment,daemonset,pdb --all', { prints: /deleted/ }),
      kubectl('delete node <ns>-a <ns>-b', { prints: /deleted/ }),
    ],
  },
  {
    title: 'taints move pods',
    steps: [
      ...readyNode('<ns>-a', '<ns>'),
      kubectl('apply -f -', { stdin: deployment('web', 1) }),
      rolledOut('deployment/web'),
      kubectl('taint node <ns>-a broken=yes:NoExecute', { prints: /tainted/ }),
      kubectl('wait deployment/web --for=condition=Available=False --timeout=60s', {
        prints: /condition met/,
      }),
      atRest,
      kubectl('get pods', { prints: /Pending/ }),
      kubectl('describe pods', { ...notScheduled, prints: /had untolerated taint/ }),
      kubectl('taint nodes <ns>-a broken-', { prints: /untainted/ }),
      rolledOut('deployment/web'),
      kubectl('taint nodes -l role=<ns> a=b:PreferNoSchedule c=d:NoSchedule', {
        prints: /tainted/,
      }),
      kubectl('describe node <ns>-a', describesNode(/a=b:PreferNoSchedule/)),
      kubectl('delete deployment web'),
      kubectl('delete node <ns>-a'),
    ],
  },
  {
    title: 'deletions in the background, in the foreground and without dependents',
    steps: [
      kubectl(`create deployment web --image=${runs} --replicas=2`),
      rolledOut('deployment/web'),
      kubectl('delete deployment web --dry-run=server', { prints: /server dry run/ }),
      kubectl('delete deployment web --cascade=orphan', { prints: /deleted/ }),
      atRest,
      kubectl('get replicasets,pods', { ...unordered, prints: /Running/ }),
      kubectl('delete pods -l app=web', { prints: /deleted/ }),
      atRest,
      kubectl('get pods', { ...unordered, prints: /Running/ }),
      kubectl('delete replicaset -l app=web --cascade=foreground', { prints: /deleted/ }),
      kubectl('get replicasets,pods', { prints: /No resources found/ }),
      refused('delete deployment web', /NotFound/),
      refused('delete deployment web --cascade=sometimes', /invalid cascade value/),
      kubectl(`create deployment other --image=${runs}`),
      kubectl('delete deployment other --cascade=background --wait=false', { prints: /deleted/ }),
      atRest,
      kubectl('get all', { prints: /No resources found/ }),
      kubectl('create namespace <ns>-gone'),
      kubectl(`create deployment web --image=${runs} -n <ns>-gone`),
      kubectl('create configmap c --from-literal=a=b -n <ns>-gone'),
      kubectl('delete namespace <ns>-gone --timeout=90s', { prints: /deleted/ }),
      refused('get namespace <ns>-gone', /NotFound/),
      refused('get pod x -n <ns>-gone', /namespaces "<ns>-gone" not found|pods "x" not found/),
    ],
  },
  {
    title: 'quotas and limits of a deployment',
    steps: [
      kubectl('create quota few --hard=pods=1,configmaps=5', {
        prints: /resourcequota\/few created/,
      }),
      atRest,
      kubectl('get quota', { prints: /pods: 0\/1/ }),
      kubectl(`create deployment web --image=${runs} --replicas=2`),
      kubectl('wait deployment/web --for=condition=ReplicaFailure --timeout=60s', {
        prints: /condition met/,
      }),
      kubectl('wait deployment/web --for=jsonpath={.status.readyReplicas}=1 --timeout=60s'),
      kubectl('get deployment web', { prints: /^web +1\/2 +1 +1/m }),
      kubectl('describe quota few', { prints: /^pods +1 +1$/m }),
      // In the order in which the conditions came up, so one on each line.
      kubectl(
        String.raw`get deployment web -o 'jsonpath={range .status.conditions[*]}{.type}{"\n"}{end}'`,
        { isUnordered: true, prints: /^ReplicaFailure$/m },
      ),
      kubectl('create -f -', {
        stdin:
          '{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","default":{"cpu":"1"},"defaultRequest":{"cpu":"100m"}}]}}',
      }),
      kubectl('describe limitrange l', { prints: /^Container +cpu/m }),
      refused(
        `run extra --image=${runs}`,
        /exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1/,
      ),
      kubectl('delete deployment web'),
      kubectl('delete quota few'),
    ],
  },
  {
    title: 'waiting for objects and their conditions',
    steps: [
      kubectl(`create deployment web --image=${runs}`),
      kubectl('wait deployment/web --for=condition=Available --timeout=60s', {
        prints: /condition met/,
      }),
      kubectl(`wait deployment/web --for=jsonpath={.status.readyReplicas}=1 --timeout=60s`),
      kubectl('wait pods -l app=web --for=condition=Ready --timeout=60s', {
        prints: /condition met/,
      }),
      kubectl('wait deployment/web --for=create --timeout=5s', { since: 31 }),
      refused('wait deployment/web --for=create=x --timeout=1s', /./, { since: 31 }),
      refused('wait deployment/web --for=delete --timeout=2s', /timed out/),
      refused('wait deployment/web --for=condition=Strange --timeout=1s', /timed out/),
      refused('wait deployment/nobody --for=condition=Available --timeout=1s', /NotFound/),
      refused('wait deployment/web --for=jsonpath={.status.nothing} --timeout=1s', /./),
      refused('wait deployment/web --for=nonsense', /unrecognized condition/),
      kubectl('delete deployment web --wait=false'),
      kubectl('wait deployment/web --for=delete --timeout=60s'),
      kubectl('wait pods -l app=web --for=delete --timeout=60s', { dependsOnTime: /./ }),
    ],
  },
  {
    title: 'events of controllers and the scheduler',
    steps: [
      kubectl(`create deployment web --image=${runs}`),
      rolledOut('deployment/web'),
      created('/api/v1/namespaces/<ns>/pods', {
        metadata: { name: 'lost' },
        spec: {
          automountServiceAccountToken: false,
          nodeSelector: { role: 'none' },
          containers: [{ name: 'c', image: runs }],
        },
      }),
      kubectl('wait pod/lost --for=condition=PodScheduled=False --timeout=60s'),
      atRest,
      kubectl('events', { ...notScheduled, prints: /ScalingReplicaSet/ }),
      kubectl('events --for deployment/web', { prints: /Scaled up replica set/ }),
      kubectl('events --types=Warning', { ...notScheduled, prints: /FailedScheduling/ }),
      kubectl('get events', { ...notScheduled, prints: /replicaset\/web-/ }),
      kubectl('get events --field-selector involvedObject.kind=Deployment', {
        prints: /deployment\/web/,
      }),
      kubectl('get events --field-selector reason=Scheduled,type=Normal', { prints: /assigned/ }),
      kubectl('get events --sort-by=.metadata.creationTimestamp', notScheduled),
      kubectl('describe pod lost', {
        ...notScheduled,
        prints: /didn't match Pod's node affinity\/selector/,
      }),
      kubectl('delete pod lost'),
      kubectl('delete deployment web'),
    ],
  },
]
