import { kubernetesVersion } from '../parts.ts'
import type { Scenario } from './scenario-run.ts'

/** What a scenario showed. */
export interface Verdict {
  readonly scenario: Scenario
  readonly isSame: boolean
  readonly states: number
  readonly events: number
  /** Calls of CRI that change something. */
  readonly runtimeCalls: number
  /** API calls about the pods: the program's and the kubelet's. */
  readonly calls: number
  readonly theirCalls: number
  /** How long the scenario took with each. */
  readonly seconds: number
  readonly theirSeconds: number
  /** When pods were evicted, in seconds since the memory was scarce. */
  readonly paces: readonly number[]
  readonly theirPaces: readonly number[]
}

const head = `# The program and a real kubelet

Made by \`npm run compare\`; do not edit. It runs each scenario twice at the same time: with kubelet ${kubernetesVersion} and with Nodescope's
own kubelet (\`--runtime\`), each on a simulated runtime that is served as CRI v1 (\`--serve-cri\`), and each with its own
kube-apiserver ${kubernetesVersion}. Compared are the states of the pods as a watch shows them (phase, conditions, container statuses,
labels, annotations, owners, tolerations, generations), the events, the order of creates, deletes and status writes in the audit log,
the order of evictions, the conditions and events of a node under pressure, and the calls that the runtime gets: RunPodSandbox, CreateContainer with its attempt, StartContainer, StopContainer with its timeout, and the configs of sandboxes and containers. Not compared are \`resources\` and \`allocatedResources\` of
statuses (in-place resize is off, because without cgroups this kubelet may crash in it; an oracle compares them), UIDs, times, addresses and the capacity of the machine, the number of status writes in a row (both
numbers of calls and both durations are in the table: the program's first; durations may differ by 45 s; when pods were evicted, each kubelet looking every 10 s, is told and not compared) and calls that the server refuses because the object is gone,
not yet known to the node authorizer, or has another UID. A transient state
counts where both were observed in it. A scenario that differs is run up to two times more, because some moments are races on a real kubelet too;
it is the same if the program did once what the kubelet did once
([kubelet-comparison-races.md](kubelet-comparison-races.md)).

Both kubelets read a KubeletConfiguration from a file of \`--config\`, which differs in the paths of the node's folder only.

Memory pressure is simulated for both in the same way: what a container uses comes from the runtime, and what is in use on the node
from a file in place of the root cgroup's (cgroups v1 only). Storage limits need only the runtime's figures and files of volumes.

Scenarios that restart a kubelet, set fields of its configuration, delete its Node, or stop its API server or its runtime run on nodes of their own, one for each.
A restart ends the process with SIGTERM or SIGKILL (the program ends in the same way: it writes nothing), leaves the runtime as it is
and starts the kubelet again in the same folders. In between, the scenario lets the node's lease expire, because the program otherwise
watches a lease for 15 s to find out whether another kubelet holds it. An API server that is away refuses connections on its port; a
runtime that is away has no socket, and its containers run on. After an outage of the API server the times of the next attempts are
random.

`

const node = `## The Node

The labels, annotations, taints and conditions of a Node that is Ready are the same, but for Nodescope's own label and taint
(\`nodescope.dev/agent\`). These differ:

| On a real node | Here |
| --- | --- |
| capacity, addresses, machine IDs and the OS image are those of the machine | a simulated machine |
| hugepages | absent ([gaps.md](gaps.md)) |
| \`daemonEndpoints\` names the port of the kubelet's server | 0: it has no server |
| Ready is False at registration (\`CSINode is not yet initialized\`), and a \`NodeReady\` event follows; a CSINode is created; Services, CSIDrivers and RuntimeClasses are listed | Ready at registration; none of these is read or written |
| \`CgroupV1\` event where the machine has cgroup v1; the three \`NodeHas…\` events three times | no cgroups; once each |
| before it joins | asks for existing Nodes, their leases and DaemonSets, and for its own permissions |

`

/** Where the scenario has any. */
function pacesOf({ paces, theirPaces }: Verdict): string {
  if (paces.length === 0) return ''
  return `; evicted after ${paces.join(', ')} and ${theirPaces.join(', ')} s`
}

function row({ title, key, onlyOurs }: Scenario, verdicts: readonly Verdict[]): string {
  const verdict = verdicts.find(({ scenario }) => scenario.key === key)
  const told =
    onlyOurs !== undefined
      ? `not compared: ${onlyOurs} | |`
      : verdict === undefined
        ? 'not run | |'
        : `${verdict.isSame ? 'the same' : '**different**'} | ${verdict.states} states, ${verdict.events} events, ${verdict.runtimeCalls} CRI calls; ${verdict.calls} and ${verdict.theirCalls} calls; ${verdict.seconds.toFixed(0)} and ${verdict.theirSeconds.toFixed(0)} s${pacesOf(verdict)} |`
  return `| ${title} | \`${key}\` | ${told}`
}

/** docs/kubelet-comparison.md. */
export function comparisonPage(
  suites: Readonly<Record<string, readonly Scenario[]>>,
  verdicts: readonly Verdict[],
): string {
  const sections = Object.entries(suites).map(([title, scenarios]) =>
    [
      `## ${title}`,
      '',
      '| Scenario | Name | Verdict | Compared |',
      '| --- | --- | --- | --- |',
      ...scenarios.map((scenario) => row(scenario, verdicts)),
    ].join('\n'),
  )
  return `${head}${node}${sections.join('\n\n')}\n`
}
