import { kubernetesVersion } from '../parts.ts'
import type { Scenario } from './scenario-run.ts'

/** What was the same in a scenario. */
export interface Verdict {
  readonly scenario: Scenario
  readonly states: number
  readonly events: number
  /** API calls about the pods: the program's and the kubelet's. */
  readonly calls: number
  readonly theirCalls: number
}

const head = `# The program and a real kubelet

Made by \`npm run compare\`; do not edit. It runs each scenario twice at the same time: with kubelet ${kubernetesVersion} on the simulated
runtime, which \`--serve-cri\` serves to it as CRI v1, and with Nodescope's own kubelet on the same runtime. Each has its own
kube-apiserver ${kubernetesVersion}. Compared are the states of the pods as a watch shows them (phase, conditions, container statuses,
labels, annotations, owners, tolerations, generations), the events, and the order of creates, deletes and status writes in the audit log. Not compared are UIDs, times, addresses and the capacity of the machine, the number of status writes in a row (both
numbers of calls are in the table: the program's first) and calls that the server refuses because the object is gone,
not yet known to the node authorizer, or has another UID. A transient state
counts where both were observed in it.

`

function row({ title, key, onlyOurs }: Scenario, verdicts: readonly Verdict[]): string {
  const verdict = verdicts.find(({ scenario }) => scenario.key === key)
  const told =
    onlyOurs !== undefined
      ? `not compared: ${onlyOurs} | |`
      : verdict === undefined
        ? 'not run | |'
        : `the same | ${verdict.states} states, ${verdict.events} events; ${verdict.calls} and ${verdict.theirCalls} calls |`
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
  return `${head}${sections.join('\n\n')}\n`
}
