import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText } from '../../files/file-error.ts'
import { objectPath } from '../../nodes/control/wait-condition.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { defaultNodes, readScenario, scenarioObjects, typeOfObject } from './scenario.ts'
import type { Scenario } from './scenario.ts'

type Admin = Pick<OpenSandbox, 'adminTransport'>

/** Reads the file. Error: a sentence. */
export async function readScenarioFile(path: string): Promise<Result<Scenario, string>> {
  try {
    return readScenario(basename(path), await readFile(path, 'utf8'))
  } catch (error) {
    return err(`The scenario ${path} cannot be read, ${fileErrorText(error)}.`)
  }
}

/** Writes the manifests of all nodes into new folders. Resolves with the folder of each node. */
export async function writeScenarioManifests(
  { spec }: Scenario,
  folder: string,
): Promise<readonly { readonly name: string; readonly manifestsPath: string }[]> {
  await rm(folder, { recursive: true, force: true })
  const written = []
  for (const { name, manifests = [] } of spec.nodes ?? defaultNodes) {
    const manifestsPath = join(folder, name)
    await mkdir(manifestsPath, { recursive: true, mode: 0o700 })
    for (const { file, content } of manifests)
      await writeFile(join(manifestsPath, file), JSON.stringify(content, null, 2))
    written.push({ name, manifestsPath })
  }
  return written
}

async function send(
  { adminTransport }: Admin,
  method: 'POST' | 'PATCH',
  path: string,
  body: JsonObject,
): Promise<string | undefined> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const headers = { accept: 'application/json', 'content-type': type }
  const answer = await adminTransport.send({ method, path, body, headers })
  if (answer.status < 300) return undefined
  const answered = answer.kind === 'object' && isJsonObject(answer.body) ? answer.body : {}
  return `${textAt(answered, 'message') || `code ${answer.status}`}`
}

function control(cluster: Admin, plural: string, spec: JsonObject): Promise<string | undefined> {
  return send(cluster, 'PATCH', `/apis/nodescope.dev/v1alpha1/${plural}/sandbox`, { spec })
}

async function createObject(cluster: Admin, object: JsonObject): Promise<string | undefined> {
  const type = typeOfObject(object)
  if (type === undefined) return undefined
  const namespace = textAt(objectAt(object, 'metadata'), 'namespace') || 'default'
  return send(cluster, 'POST', objectPath(type, namespace, ''), object)
}

/**
 * Brings a new sandbox, whose clock stands, into the scenario: objects, faults, and time up to its moment. Error: a sentence about
 * what was refused.
 */
export async function startScenario(
  cluster: Admin & Pick<OpenSandbox, 'virtualClock'>,
  scenario: Scenario,
): Promise<Result<undefined, string>> {
  const { name } = scenario.metadata
  const { clock = {}, faults = [], stopAt } = scenario.spec
  for (const [index, object] of scenarioObjects(scenario).entries()) {
    const refusal = await createObject(cluster, object)
    if (refusal !== undefined)
      return err(`The scenario ${name} failed at spec.objects[${index}]: ${refusal}.`)
  }
  const failed =
    (faults.length > 0 ? await control(cluster, 'faultplans', { faults }) : undefined) ??
    (stopAt?.after === undefined
      ? undefined
      : await control(cluster, 'clocks', { runFor: stopAt.after })) ??
    (stopAt?.until === undefined
      ? undefined
      : await control(cluster, 'clocks', { runUntil: stopAt.until }))
  if (failed !== undefined) return err(`The scenario ${name} failed: ${failed}`)
  cluster.virtualClock.setSpeed(clock.speed ?? 1)
  if (clock.paused !== true) cluster.virtualClock.run()
  return ok(undefined)
}
