import { gotchaCategories } from '../../../shared/model/scenarios/gotcha.ts'
import type { GotchaView } from '../../../shared/model/scenarios/gotcha.ts'
import type { ScenarioListing } from '../../../shared/model/scenarios/scenario.ts'
import type { Assets } from '../assets.ts'
import { readScenario } from './read-scenario.ts'
import type { ReadScenario } from './read-scenario.ts'
import type { Scenario } from './scenario.ts'

/** The gotchas of a category are in a folder of its name: `scenarios/mirror-pods`. */
const folders = [
  'scenarios',
  'scenarios/pressure',
  ...gotchaCategories.map((name) => `scenarios/${name.toLowerCase().replaceAll(' ', '-')}`),
]

/** What a list shows of a scenario. */
export function listingOf({ metadata, spec }: Scenario): ScenarioListing {
  const { name, title = name, description = '' } = metadata
  const { gotcha } = spec
  return {
    name,
    title,
    sentence: gotcha?.confusion ?? description,
    category: gotcha?.category ?? null,
  }
}

/** Reads the scenarios that come with the program, in the order of their folders and files. Throws if one is broken. */
export async function readShippedScenarios(assets: Assets): Promise<readonly ReadScenario[]> {
  const scenarios: ReadScenario[] = []
  for (const folder of folders)
    for (const file of await assets.list(folder)) {
      const read = readScenario(file, await assets.readText(`${folder}/${file}`))
      if (!read.ok) throw new Error(read.error)
      scenarios.push(read.value)
    }
  return scenarios
}

/** The gotchas among scenarios. */
export function gotchasOf(scenarios: readonly ReadScenario[]): readonly GotchaView[] {
  return scenarios.flatMap(({ scenario: { metadata, spec } }) => {
    const { name: id, title = id } = metadata
    return spec.gotcha === undefined ? [] : [{ id, title, ...spec.gotcha }]
  })
}
