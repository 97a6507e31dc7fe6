import { stringify } from 'yaml'
import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { KubeObject } from '../../shared/kubernetes/objects.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { locate } from '../parsing/kubernetes-text.ts'
import { decodeObject } from '../sandbox/endpoints/body-decoder.ts'
import type { KeptObject } from '../sandbox/object-store.ts'
import { groupResource, groupVersion } from '../sandbox/registry/resource-type.ts'
import type { ResourceType } from '../sandbox/registry/resource-type.ts'
import { ResourceRegistry } from '../sandbox/registry/resource-registry.ts'
import { typeOfKind } from '../sandbox/registry/resource-types.ts'
import { objectKey, stateFormat } from './kept-state.ts'
import type { KeptState, StateMeta } from './kept-state.ts'
import { problemAt, readDocuments } from './yaml-documents.ts'
import type { YamlDocument } from './yaml-documents.ts'

const apiVersion = 'nodescope.dev/v1alpha1'

/** A file in the manifest folder of a node. */
export interface ManifestFile {
  readonly node: string
  readonly file: string
  readonly text: string
}

/** All that a state file has. */
export interface StateFile extends KeptState {
  readonly manifests: readonly ManifestFile[]
}

/** The state as a YAML stream: one document about the whole, one for each manifest, one for each object. */
export function stateFileText({ meta, objects, manifests }: StateFile): string {
  const documents = [
    { apiVersion, kind: 'State', spec: meta },
    ...manifests.map((manifest) => ({ apiVersion, kind: 'StaticPodManifest', spec: manifest })),
    ...objects.map(({ object }) => object),
  ]
  return documents.map((one) => stringify(one, { lineWidth: 0 })).join('---\n')
}

/** A definition of which all versions are served: objects may be stored in one that no longer is. */
function withAllVersions(definition: JsonObject): KubeObject {
  const spec = objectAt(definition, 'spec')
  const versions = objectsAt(spec, 'versions').map((version) => ({ ...version, served: true }))
  // Its fields are looked at where it is read itself.
  return { ...definition, spec: { ...spec, versions } } as unknown as KubeObject
}

/** The kinds of the sandbox, and those that the documents define. */
function typesIn(documents: readonly YamlDocument[]): ReadonlyMap<string, ResourceType> {
  const definition = typeOfKind('CustomResourceDefinition')
  const registry = new ResourceRegistry()
  registry.define(
    documents.flatMap(({ value }) =>
      value['kind'] === definition.kind && value['apiVersion'] === groupVersion(definition)
        ? [withAllVersions(value)]
        : [],
    ),
  )
  return new Map(
    registry.stored.map((type) => [`${groupVersion(type)} ${type.kind}`, type] as const),
  )
}

function metaFrom(spec: JsonObject): StateMeta | string {
  const format = numberAt(spec, 'format') ?? 0
  if (format > stateFormat)
    return `This file was written by Nodescope ${textAt(spec, 'program')} (format ${format}); this version reads format ${stateFormat}.`
  for (const field of ['seed', 'starts', 'now', 'resourceVersion'] as const) {
    const value = numberAt(spec, field)
    if (value === undefined || value < 0) return `spec.${field} needs a number of at least 0.`
  }
  const { nodes } = spec
  const isNames = Array.isArray(nodes) && nodes.length > 0
  if (!isNames || !nodes.every((name) => typeof name === 'string'))
    return 'spec.nodes needs the names of the nodes.'
  // Checked above.
  return spec as unknown as StateMeta
}

function manifestFrom(spec: JsonObject): ManifestFile | string {
  const [node, file, text] = [textAt(spec, 'node'), textAt(spec, 'file'), textAt(spec, 'text')]
  if (node === '') return 'spec.node needs the name of a node.'
  if (!/^[^/\0]+$/.test(file) || file.startsWith('.')) return 'spec.file needs a file name.'
  return { node, file, text }
}

function objectFrom(
  value: JsonObject,
  types: ReadonlyMap<string, ResourceType>,
): KeptObject | string {
  const kind = `${textAt(value, 'apiVersion')} ${textAt(value, 'kind')}`
  const type = types.get(kind)
  if (type === undefined) return `The sandbox has no objects of kind ${kind}.`
  const metadata = objectAt(value, 'metadata')
  for (const field of ['name', 'uid', 'resourceVersion'])
    if (textAt(metadata, field) === '') return `metadata.${field} is missing.`
  if (type.namespaced !== (textAt(metadata, 'namespace') !== ''))
    return type.namespaced ? 'metadata.namespace is missing.' : `A ${type.kind} has no namespace.`
  // The fields of a custom kind may have been others when it was stored.
  const validation = type.custom === undefined ? 'Strict' : 'Ignore'
  const decoded = decodeObject(type, { body: value }, validation)
  if (!decoded.ok) return `${decoded.error.message ?? 'It cannot be decoded'}.`
  // The decoded object with its defaults, which a stored object has already.
  return { resource: groupResource(type), object: decoded.value.object }
}

/** Reads a state file. Error: a sentence with file, line and column. */
export function readStateFile(file: string, text: string): Result<StateFile, string> {
  const documents = readDocuments(file, text)
  if (!documents.ok) return documents
  const [first, ...rest] = documents.value
  if (first === undefined || !isStateKind(first.value, 'State'))
    return err(
      `${file}:1: This is no state file: it does not begin with kind: State of ${apiVersion}. A scenario is opened with --scenario.`,
    )
  const meta = metaFrom(objectAt(first.value, 'spec'))
  if (typeof meta === 'string') return err(documentProblem(file, first, meta))
  return readParts(file, meta, rest)
}

function readParts(
  file: string,
  meta: StateMeta,
  documents: readonly YamlDocument[],
): Result<StateFile, string> {
  const manifests: ManifestFile[] = []
  const objects = new Map<string, KeptObject>()
  const types = typesIn(documents)
  for (const document of documents) {
    const { value } = document
    const isManifest = isStateKind(value, 'StaticPodManifest')
    const part = isManifest ? manifestFrom(objectAt(value, 'spec')) : objectFrom(value, types)
    if (typeof part === 'string') return err(documentProblem(file, document, part))
    if ('file' in part) {
      manifests.push(part)
      continue
    }
    const key = objectKey(part.resource, part.object)
    if (objects.has(key))
      return err(documentProblem(file, document, `${nameOf(part.object)} is there twice.`))
    objects.set(key, part)
  }
  return ok({ meta, manifests, objects: [...objects.values()] })
}

function isStateKind(value: JsonObject, kind: string): boolean {
  return value['apiVersion'] === apiVersion && value['kind'] === kind
}

function nameOf({ kind = 'Object', metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
}

/** The problem at the field that it begins with, if it begins with one. */
function documentProblem(file: string, document: YamlDocument, message: string): string {
  const field = /^(?:spec|metadata)\.\w+/.exec(message)?.[0] ?? ''
  const found = locate(document.place, field)
  const place = found.line === null ? document.place : found
  const { metadata } = document.value
  const name = isJsonObject(metadata) ? textAt(metadata, 'name') : ''
  const sentence = name === '' ? message : `${textAt(document.value, 'kind')} ${name}: ${message}`
  return problemAt(file, { ...place, message: sentence }, document.linesBefore)
}
