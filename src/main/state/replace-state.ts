import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryPath } from '../files/temporary-path.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import { openState } from './open-state.ts'
import { openDatabase } from './state-database.ts'
import { StateWriter } from './state-writer.ts'
import { readStateFile, stateFileText } from './state-file.ts'
import { filesOf } from './manifest-files.ts'
import type { ManifestFile, StateFile } from './state-file.ts'

/** Where a state and the manifests of its nodes are. */
export interface StatePlaces {
  /** Of the state, absolute. */
  readonly path: string
  readonly version: string
  readonly log: Log
  /** The manifest folder of the node with this place among the nodes. */
  readonly manifestFolder: (node: string, index: number) => string
}

async function manifestsOf(
  nodes: readonly string[],
  { manifestFolder }: StatePlaces,
): Promise<readonly ManifestFile[]> {
  const files = await Promise.all(
    nodes.map((node, index) => filesOf(node, manifestFolder(node, index))),
  )
  return files.flat()
}

/** The state as text of a YAML file. Error: a sentence. The state must not be open. */
export async function exportState(places: StatePlaces): Promise<Result<string, string>> {
  const state = await openState(places)
  if (!state.ok) return state
  const { kept, note, close } = state.value
  await close()
  if (note !== '') return err(note)
  if (kept === undefined)
    return err(`There is no state in ${places.path} yet: start a sandbox first.`)
  return ok(stateFileText({ ...kept, manifests: await manifestsOf(kept.meta.nodes, places) }))
}

/** A path next to it that nothing has yet. */
function freePath(path: string): string {
  for (let number = 1; ; number++) {
    const free = `${path}-before-${number}`
    if (!existsSync(free)) return free
  }
}

/** Moves a folder away. Undefined if there is none. */
async function setAside(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined
  const aside = freePath(path)
  await rename(path, aside)
  return aside
}

async function buildState(folder: string, file: StateFile, log: Log): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  const database = await openDatabase(folder)
  const { meta, objects } = file
  const writer = new StateWriter({ database, path: folder, meta, checksums: new Map(), log })
  const { resourceVersion } = meta
  for (const one of objects) writer.record({ ...one, change: 'ADDED', resourceVersion })
  const written = await writer.close()
  if (!written.ok) throw new Error(written.error)
}

async function writeManifests(
  { meta, manifests }: StateFile,
  places: StatePlaces,
): Promise<readonly string[]> {
  const asides: string[] = []
  for (const [index, node] of meta.nodes.entries()) {
    const folder = places.manifestFolder(node, index)
    const aside = await setAside(folder)
    if (aside !== undefined) asides.push(aside)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const { node: owner, file, text } of manifests)
      if (owner === node) await writeFile(join(folder, file), text, { mode: 0o600 })
  }
  return asides
}

/**
 * Replaces the state and the manifests by those of a state file. The old ones are moved aside. Resolves with a sentence about
 * that. Error: a sentence, and nothing has changed. The state must not be open.
 */
export async function importState(
  places: StatePlaces,
  name: string,
  text: string,
): Promise<Result<string, string>> {
  const file = readStateFile(name, text)
  if (!file.ok) return file
  const draft = temporaryPath(places.path)
  try {
    await buildState(draft, file.value, places.log)
    const asides = [await setAside(places.path), ...(await writeManifests(file.value, places))]
    await rename(draft, places.path)
    const moved = asides.filter((aside) => aside !== undefined)
    const about = moved.length === 0 ? '' : ` What was there before is in ${moved.join(', ')}.`
    return ok(`The sandbox's state was replaced by ${name}.${about}`)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message : String(error)
    return err(`${name} cannot be imported: ${reason}.`)
  }
}

/** Moves the state aside, so that a new sandbox starts. Manifests stay. Resolves with a sentence. It must not be open. */
export async function resetState({ path }: Pick<StatePlaces, 'path'>): Promise<string> {
  const aside = await setAside(path)
  return aside === undefined
    ? 'There was no state to reset.'
    : `A new sandbox starts. The old state is in ${aside}.`
}
