import { kubernetesVersion } from '../parts.ts'
import { significance, type FacetSets } from './outcome-sets.ts'
import type { Scenario } from './scenario-run.ts'

/** A scenario with the outcomes of all its runs. */
export interface RepeatedScenario {
  readonly scenario: Scenario
  readonly facets: readonly FacetSets[]
}

const words = {
  same: 'the same outcomes',
  'by chance': 'one outcome on one of the two only, as seldom as chance allows',
  different: '**different**',
} as const

/** One line for the terminal. */
export function repeatedLine({ scenario, facets }: RepeatedScenario): string {
  const told = facets.map(({ facet, counts, verdict }) => `${facet}: ${counts.length} (${verdict})`)
  return `${scenario.key}: ${told.join(', ')}`
}

function section({ scenario, facets }: RepeatedScenario, times: number): readonly string[] {
  const constant = facets.filter(({ counts }) => counts.length === 1)
  const rows = facets
    .filter(({ counts }) => counts.length > 1)
    .flatMap(({ facet, counts, verdict }) =>
      counts.map(
        ({ outcome, ours, real }, at) =>
          `| ${at === 0 ? facet : ''} | ${outcome === '' ? 'none' : outcome.replaceAll('|', '\\|')} | ${ours} | ${real} | ${at === 0 ? words[verdict] : ''} |`,
      ),
    )
  const inAll = constant.map(({ facet }) => facet).join(', ')
  return [
    `## ${scenario.title}`,
    '',
    `\`${scenario.key}\`. ${inAll === '' ? `No facet was the same in all ${times} runs of both.` : `The same in all ${times} runs of both: ${inAll}.`}`,
    '',
    ...(rows.length === 0
      ? []
      : [
          '| Facet | Outcome | Program | Kubelet | Verdict |',
          '| --- | --- | --- | --- | --- |',
          ...rows,
          '',
          ...(scenario.explanation === undefined ? [] : [scenario.explanation, '']),
        ]),
  ]
}

/** docs/kubelet-comparison-races.md. */
export function racesPage(
  repeated: readonly RepeatedScenario[],
  { times, origin }: { readonly times: number; readonly origin: string },
): string {
  const different = repeated.filter(({ facets }) =>
    facets.some(({ verdict }) => verdict === 'different'),
  )
  const head = `# Races: the program and a real kubelet

Made by \`npm run compare -- --repeat ${times}\` (${origin}); do not edit. In these scenarios the outcome depends on what comes first:
a deletion or the end of a container, a second edit or the end of the first. Each runs ${times} times on kubelet ${kubernetesVersion} and
${times} times on Nodescope's own kubelet, set up as in [kubelet-comparison.md](kubelet-comparison.md); where a scenario pauses, each
repetition pauses for another time. Counted are the outcomes of five facets: the phases of the pods, the reasons of the events, the order of
API calls, the API calls that the server refuses, and the calls of CRI.

"The same outcomes" means that both came to each outcome. "As seldom as chance allows" and "different" are told apart by Fisher's exact
test at ${significance}: with ${times} runs of each a difference has to be large to be seen, and of many facets a few exceed that limit by chance.

${different.length === 0 ? 'No facet is different.' : `Different: ${different.map(({ scenario }) => `\`${scenario.key}\``).join(', ')}.`}
`
  return `${[head, ...repeated.flatMap((one) => section(one, times))].join('\n').trimEnd()}\n`
}
