import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { objectAt, textAt } from '../../../shared/json.ts'
import { temporaryPath } from '../../files/temporary-path.ts'
import type { ApiClient, Log } from '../../kubelet/ports.ts'
import type { Assets } from '../assets.ts'
import { readScenario } from './read-scenario.ts'
import { nodesOf, scenarioObjects } from './scenario.ts'
import type { Scenario } from './scenario.ts'
import { createObject } from './send-objects.ts'
import type { Admin } from './send-objects.ts'
import { manifestText } from './step-acts.ts'

const folder = 'scenarios'
const file = 'first-run.yaml'

/** Undefined: it does not ship. */
async function readFirstRun(assets: Assets): Promise<Scenario | undefined> {
  if (!(await assets.list(folder)).includes(file)) return undefined
  const read = readScenario(file, await assets.readText(`${folder}/${file}`))
  if (!read.ok) throw new Error(read.error)
  return read.value.scenario
}

/** Creates a folder with the manifests of the first run, atomically. An existing folder belongs to the user and is not changed. */
export async function writeFirstManifests(assets: Assets, target: string): Promise<void> {
  if (existsSync(target)) return
  const draft = temporaryPath(target)
  await mkdir(draft, { recursive: true, mode: 0o700 })
  const scenario = await readFirstRun(assets)
  const [node] = scenario === undefined ? [] : nodesOf(scenario)
  for (const manifest of node?.manifests ?? [])
    await writeFile(join(draft, manifest.file), manifestText(manifest))
  await rename(draft, target)
}

const tries = 100
const tryMs = 20

/** The scheduler looks only a second or more later again at pods that it has seen before there was a node. */
async function nodeIsThere(admin: Pick<ApiClient, 'list'>): Promise<void> {
  for (let count = 0; count < tries; count += 1) {
    const nodes = await admin.list({ resource: 'nodes' })
    if (nodes.ok && nodes.value.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, tryMs))
  }
}

/** Creates the objects of the first run when a new sandbox has a node. Logs a refused one and continues. */
export async function createFirstObjects(
  cluster: Admin & { readonly admin: Pick<ApiClient, 'list'> },
  assets: Assets,
  log: Log,
): Promise<void> {
  const scenario = await readFirstRun(assets)
  if (scenario === undefined) return
  await nodeIsThere(cluster.admin)
  for (const object of scenarioObjects(scenario)) {
    const refusal = await createObject(cluster, object)
    const name = textAt(objectAt(object, 'metadata'), 'name')
    if (refusal !== '') log.error('an example object was refused', { name, error: refusal })
  }
}
