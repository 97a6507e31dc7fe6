import { web } from '../exchange.ts'
import {
  ended,
  finishDeletion,
  kubectl,
  printed,
  refused,
  start,
  statusOf,
  type CommandScenario,
  type TextDifference,
} from './command.ts'
import { createdPod, podYaml, registeredNode, running, runningPod, succeeded } from './objects.ts'

const needsKubelet: TextDifference = {
  lines: /^Error from server/,
  why: 'no kubelet is there; a real server does not even find an address for the name of the node',
}

const metricsServed: TextDifference = {
  lines: /^error: (Metrics API not available|metrics not available yet)$/,
  why: 'the sandbox serves metrics.k8s.io by itself, beside a real server runs a metrics-server',
}

const guard = '/apis/policy/v1/namespaces/<ns>/poddisruptionbudgets/guard'

const guardYaml = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: guard
spec:
  minAvailable: 1
  selector:
    matchLabels: {app: web}
`

/** The status that the disruption controller, which does not run here, would write. */
const counted = { expectedPods: 1, currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0 }

/** Commands that delete objects, wait for them, and drain nodes. */
export const removingCommands: readonly CommandScenario[] = [
  {
    title: 'delete',
    steps: [
      ...runningPod('web'),
      start('deletion', kubectl('delete pod web --grace-period=7')),
      printed('deletion', /pod "web" deleted/),
      finishDeletion('web'),
      ended('deletion'),
      createdPod('unbound'),
      kubectl('delete pod unbound', { prints: /deleted/ }),
      ...runningPod('slow'),
      kubectl('delete pod slow --wait=false'),
      kubectl('get pod slow', { prints: /Terminating/ }),
      kubectl('get pod slow -o yaml', { prints: /deletionGracePeriodSeconds: 30/ }),
      kubectl('describe pod slow', { prints: /^Status: +Terminating/m }),
      kubectl('delete pod slow --now --wait=false'),
      kubectl('get pod slow -o jsonpath={.metadata.deletionGracePeriodSeconds}', { prints: /^1$/ }),
      kubectl('delete pod slow --force', { prints: /Immediate deletion does not wait/ }),
      refused('get pod slow', /NotFound/),
      ...runningPod('forced'),
      kubectl('delete pod forced --force --grace-period=0'),
      ...runningPod('zero'),
      kubectl('delete pod zero --grace-period=0 --wait=false', { code: 0 }),
      kubectl('get pod zero -o jsonpath={.metadata.deletionGracePeriodSeconds}', { prints: /1/ }),
      kubectl('delete pod zero --force'),
      ...runningPod('done', { status: succeeded }),
      kubectl('delete pod done', { prints: /deleted/ }),
      kubectl('create -f -', { stdin: podYaml('from-file') }),
      kubectl('delete -f -', { stdin: podYaml('from-file'), prints: /pod "from-file" deleted/ }),
      refused('delete -f -', /NotFound/, { stdin: podYaml('from-file') }),
      kubectl('delete -f - --ignore-not-found', { stdin: podYaml('from-file') }),
      refused('delete pod nobody', /pods "nobody" not found/),
      createdPod('a', { metadata: { labels: { set: 'one' } } }),
      createdPod('b', { metadata: { labels: { set: 'one' } } }),
      createdPod('c'),
      kubectl('delete pods -l set=one --dry-run=server', { prints: /server dry run/ }),
      kubectl('delete pods -l set=one', { prints: /pod "b" deleted/ }),
      kubectl('delete pods -l set=one', { prints: /No resources found/ }),
      kubectl('delete pods --all -o name', { prints: /pod\/c/ }),
      refused('delete pods', /resource\(s\) were provided, but no name was specified/),
      refused('delete namespace default', /Forbidden/),
    ],
  },
  {
    title: 'wait',
    steps: [
      createdPod('web', { spec: { nodeName: 'n1' } }),
      refused('wait pod/web --for=condition=Ready --timeout=1s', /timed out waiting/),
      refused('wait pod/nobody --for=condition=Ready --timeout=1s', /NotFound/),
      kubectl('wait pod/nobody --for=delete --timeout=5s'),
      start('ready', kubectl('wait pod/web --for=condition=Ready --timeout=100s')),
      start('phase', kubectl('wait pod/web --for=jsonpath={.status.phase}=Running --timeout=100s')),
      start('gone', kubectl('wait pod/web --for=delete --timeout=100s')),
      statusOf(web, running),
      ended('ready'),
      ended('phase'),
      kubectl('wait pods --all --for=condition=Ready', { prints: /condition met/ }),
      kubectl('delete pod web --force'),
      ended('gone'),
      start('made', kubectl('wait pod/late --for=create --timeout=100s', { since: 31 })),
      createdPod('late'),
      ended('made'),
      refused('wait pods --all --for=jsonpath={.status.phase}=Failed --timeout=1s', /timed out/),
    ],
  },
  {
    title: 'cordon, taint, drain',
    steps: [
      ...registeredNode,
      kubectl('cordon <ns>', { prints: /node\/<ns> cordoned/ }),
      kubectl('cordon <ns>', { prints: /already cordoned/ }),
      kubectl('get node <ns>', { prints: /Ready,SchedulingDisabled/ }),
      kubectl('uncordon <ns>', { prints: /node\/<ns> uncordoned/ }),
      kubectl('uncordon <ns>', { prints: /already uncordoned/ }),
      kubectl('taint node <ns> a=b:NoSchedule', { prints: /node\/<ns> tainted/ }),
      refused('taint node <ns> a=c:NoSchedule', /already has/),
      kubectl('taint node <ns> a=c:NoSchedule --overwrite', { prints: /modified/ }),
      kubectl('get node <ns> -o jsonpath={.spec.taints}', { prints: /"key":"a"/ }),
      kubectl('taint node <ns> a-', { prints: /untainted/ }),
      refused('taint node <ns> a-', /not found/),
      refused('taint node <ns> a=b:Never', /invalid taint effect/),
      refused('taint node nobody a=b:NoSchedule', /nodes "nobody" not found/),
      kubectl('label node <ns> zone=a', { prints: /labeled/ }),
      kubectl('annotate node <ns> note=x', { prints: /annotated?/ }),
      refused('cordon nobody', /nodes "nobody" not found/),
      // One pod: several are evicted at once, in any order.
      ...runningPod('web', { spec: { nodeName: '<ns>' } }),
      refused('drain <ns>', /cannot delete.* declare no controller/),
      kubectl('drain <ns> --force --dry-run=client', { prints: /dry run/ }),
      kubectl('drain <ns> --force --dry-run=server', { prints: /dry run/ }),
      start('drain', kubectl('drain <ns> --force --timeout=100s')),
      finishDeletion('web'),
      ended('drain'),
      kubectl('get node <ns> -o jsonpath={.spec.unschedulable}', { prints: /true/ }),
      kubectl('delete node <ns>', { prints: /node "<ns>" deleted/ }),
      refused('delete node <ns>', /NotFound/),
    ],
  },
  {
    title: 'disruption budgets, and a drain that waits for them',
    steps: [
      ...registeredNode,
      kubectl('apply -f -', {
        stdin: guardYaml,
        prints: /poddisruptionbudget.policy\/guard created/,
      }),
      // A selector is replaced, so that kubectl always has a patch to send, on any server.
      kubectl('apply -f -', { stdin: guardYaml, prints: /configured/ }),
      kubectl('apply -f -', {
        stdin: guardYaml.replace('app: web', 'tier: web'),
        prints: /configured/,
      }),
      kubectl('get pdb guard -o jsonpath={.spec.selector}', {
        prints: /^{"matchLabels":{"tier":"web"}}$/,
      }),
      kubectl('apply -f -', { stdin: guardYaml, prints: /configured/ }),
      ...runningPod('web', { labels: { app: 'web' }, spec: { nodeName: '<ns>' } }),
      statusOf(guard, { ...counted, observedGeneration: 3 }),
      kubectl('get pdb', {
        prints: /^NAME +MIN AVAILABLE +MAX UNAVAILABLE +ALLOWED DISRUPTIONS +AGE$/m,
      }),
      kubectl('get poddisruptionbudgets.policy guard -o yaml', { prints: /desiredHealthy: 1/ }),
      kubectl('describe pdb guard', { prints: /Allowed disruptions: +0/ }),
      refused('drain <ns> --force --timeout=1s', /violate the pod's disruption budget/),
      start('drain', kubectl('drain <ns> --force --timeout=200s', { prints: /pod\/web evicted/ })),
      // Refused once, then retried.
      printed('drain', /evicting pod .*\n(.*\n)*evicting pod /),
      statusOf(guard, { disruptionsAllowed: 1, currentHealthy: 2 }),
      finishDeletion('web'),
      ended('drain'),
      kubectl('get pdb guard -o jsonpath={.status.disruptionsAllowed}', { prints: /^0$/ }),
      refused('apply -f -', /must not be greater than 100%/, {
        stdin: guardYaml.replace('minAvailable: 1', 'minAvailable: 101%'),
      }),
      kubectl('delete pdb guard', { prints: /poddisruptionbudget.policy "guard" deleted/ }),
      kubectl('get pdb', { prints: /No resources found/ }),
    ],
  },
  {
    title: 'logs, exec and other commands that need a kubelet',
    steps: [
      ...runningPod('web'),
      refused('logs nobody', /pods "nobody" not found/),
      refused('logs web', /Error from server/, { differs: [needsKubelet] }),
      refused('logs web -c d', /container d is not valid for pod web/),
      refused('exec nobody -- ls', /pods "nobody" not found/),
      refused('exec web -- ls', /Error from server/, { differs: [needsKubelet] }),
      refused('attach web', /Error from server/, { differs: [needsKubelet] }),
      refused('cp web:/a /tmp/b', /Error from server/, { differs: [needsKubelet] }),
      refused('port-forward nobody 8080', /pods "nobody" not found/),
      refused('top pods', /metrics (API )?not available/i, { differs: [metricsServed] }),
      refused('top nodes', /metrics (API )?not available/i, { differs: [metricsServed] }),
      refused('rollout status pod/web', /no status viewer|./),
      refused('scale pod/web --replicas=2', /./),
    ],
  },
]
