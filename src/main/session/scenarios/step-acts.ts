import { writeFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { parseDuration } from '../../../shared/go/duration.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText } from '../../files/file-error.ts'
import type { ManifestEditor } from '../manifests/manifest-editor.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { withBehavior } from './scenario.ts'
import type { Scenario, ScenarioManifest } from './scenario.ts'
import type { PodCondition, StepActs } from './scenario-step.ts'
import { drainNode } from './drain-step.ts'
import { applyObject, createObject, deleteObject, patchObject, setControl } from './send-objects.ts'
import { fittingRows } from './shown-pods.ts'
import { untilAllHold } from './step-conditions.ts'

/** A sandbox while the steps of a scenario are carried out. */
export interface StepPlace {
  readonly cluster: OpenSandbox
  readonly spec: Scenario['spec']
  /** The manifest folder of each node, by its name; the first is meant where none is named. */
  readonly folders: ReadonlyMap<string, string>
}

/** Each resolves with a sentence about why it was refused, or empty. */
type Acts = {
  readonly [K in keyof StepActs]: (place: StepPlace, args: StepActs[K]) => Promise<string>
}

function refusalOf(result: Result<unknown, { readonly message: string }>): string {
  return result.ok ? '' : result.error.message
}

function firstNode({ folders }: StepPlace): string {
  return folders.keys().next().value ?? ''
}

/** The key of the only row that fits. */
async function keyOf(
  { cluster }: StepPlace,
  condition: PodCondition,
): Promise<Result<string, string>> {
  const rows = await fittingRows(cluster, condition)
  const [row] = rows
  if (row === undefined) return { ok: false, error: `there is no pod ${condition.pod}.` }
  return rows.length === 1
    ? { ok: true, value: row.key }
    : { ok: false, error: `there are ${rows.length} pods ${condition.pod}; name the node.` }
}

async function onPod(
  place: StepPlace,
  { pod, namespace, node }: PodCondition,
  act: (
    key: string,
  ) =>
    | Result<unknown, { readonly message: string }>
    | Promise<Result<unknown, { readonly message: string }>>,
): Promise<string> {
  const key = await keyOf(place, {
    pod,
    ...(namespace === undefined ? {} : { namespace }),
    ...(node === undefined ? {} : { node }),
  })
  return key.ok ? refusalOf(await act(key.value)) : key.error
}

/** The text of a manifest. */
export function manifestText({ file, content, text }: ScenarioManifest): string {
  if (text !== undefined) return text
  return file.endsWith('.json')
    ? `${JSON.stringify(content, null, 2)}\n`
    : stringify(content, { lineWidth: 0, version: '1.1' })
}

/** Undefined while the kubelet is stopped and reads no file. */
function editorOf({ cluster }: StepPlace, node: string): ManifestEditor | undefined {
  const { nodes } = cluster.session.view()
  const isRead = nodes.some(({ name, agent }) => name === node && agent === 'running')
  return isRead ? cluster.manifests.get(node) : undefined
}

async function changeFile(
  place: StepPlace,
  node: string,
  change: {
    readonly byEditor: (
      editor: ManifestEditor,
    ) => Promise<Result<unknown, { readonly message: string }>>
    readonly inFolder: (folder: string) => Promise<unknown>
  },
): Promise<string> {
  const editor = editorOf(place, node)
  if (editor !== undefined) return refusalOf(await change.byEditor(editor))
  try {
    await change.inFolder(place.folders.get(node) ?? '')
    return ''
  } catch (error) {
    return `the manifest folder of ${node} cannot be changed, ${fileErrorText(error)}.`
  }
}

async function writeManifest(
  editor: ManifestEditor,
  file: string,
  text: string,
): Promise<Result<unknown, { readonly message: string }>> {
  const { files } = await editor.list()
  return editor.write(file, text, { create: !files.some(({ name }) => name === file) })
}

function isOff(fault: JsonObject, off: StepActs['faultsOff']): boolean {
  return off.some(
    ({ type, node = fault['node'] }) => type === fault['type'] && node === fault['node'],
  )
}

/** The faults that are in effect, as a plan has them. */
function faultsOf({ cluster }: StepPlace): readonly JsonObject[] {
  return cluster.sandbox.faultControl.faults.map((fault) => ({ ...fault }))
}

/** What steps do: all that a user of the page, of kubectl or of the machine can. */
export const stepActs: Acts = {
  create: ({ cluster, spec }, object) => createObject(cluster, withBehavior(spec, object)),
  apply: ({ cluster, spec }, object) => applyObject(cluster, withBehavior(spec, object)),
  patch: ({ cluster }, target) => patchObject(cluster, target),
  delete: ({ cluster }, target) => deleteObject(cluster, target),
  manifest: (place, { node = firstNode(place), ...manifest }) => {
    const text = manifestText(manifest)
    return changeFile(place, node, {
      byEditor: (editor) => writeManifest(editor, manifest.file, text),
      inFolder: (folder) => writeFile(join(folder, manifest.file), text),
    })
  },
  removeManifest: (place, { node = firstNode(place), file }) =>
    changeFile(place, node, {
      byEditor: (editor) => editor.remove(file),
      inFolder: (folder) => rm(join(folder, file)),
    }),
  kill: (place, { gracePeriodSeconds = null, ...pod }) =>
    onPod(place, pod, (key) => place.cluster.commands.kill(key, gracePeriodSeconds)),
  evict: (place, { by = 'API', gracePeriodSeconds = null, ...pod }) =>
    onPod(place, pod, (key) =>
      by === 'kubelet'
        ? place.cluster.commands.evictByKubelet(key)
        : place.cluster.commands.evictThroughApi(key, gracePeriodSeconds),
    ),
  restartContainer: (place, { container, gracePeriodSeconds = null, ...pod }) =>
    onPod(place, pod, (key) => {
      const first = place.cluster.session.detail(key)?.containers[0]?.name ?? ''
      return place.cluster.commands.restartContainer(key, container ?? first, gracePeriodSeconds)
    }),
  node: (place, { name = firstNode(place), act, ...graces }) => {
    const { shutdownGraceSeconds = null, criticalGraceSeconds = null } = graces
    const args = { node: name, act, shutdownGraceSeconds, criticalGraceSeconds, call: null }
    return Promise.resolve(refusalOf(place.cluster.nodes.act(args)))
  },
  cordon: async ({ cluster }, { node }) => refusalOf(await cluster.cordon('cordon', node)),
  uncordon: async ({ cluster }, { node }) => refusalOf(await cluster.cordon('uncordon', node)),
  drain: ({ cluster }, args) => drainNode(cluster, args),
  faultsOn: (place, on) =>
    setControl(place.cluster, 'faultplans', { faults: [...faultsOf(place), ...on] }),
  faultsOff: (place, off) =>
    setControl(place.cluster, 'faultplans', {
      faults: faultsOf(place).filter((fault) => !isOff(fault, off)),
    }),
  run: async ({ cluster }, time) => {
    await cluster.virtualClock.advance(parseDuration(time) ?? 0)
    return ''
  },
  until: ({ cluster }, conditions) => untilAllHold(cluster, conditions),
}
