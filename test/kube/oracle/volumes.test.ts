import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { afterAll } from 'vitest'
import { nodeHostFiles } from '../../../src/main/files/node-host-files.ts'
import { volumeMounts } from '../../../src/main/kubelet/kuberuntime/container-mounts.ts'
import { AtomicWriter } from '../../../src/main/kubelet/volume/atomic-writer.ts'
import { downwardApiPayload } from '../../../src/main/kubelet/volume/downward-api.ts'
import type { FileProjection, Payload } from '../../../src/main/kubelet/volume/file-projection.ts'
import { checkHostPath } from '../../../src/main/kubelet/volume/host-path.ts'
import { nestedMountPoints } from '../../../src/main/kubelet/volume/nested-mount-points.ts'
import {
  configMapData,
  objectPayload,
  secretData,
} from '../../../src/main/kubelet/volume/object-payload.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import type { Container, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Result } from '../../../src/shared/result.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'
import { Refusal } from './oracle.ts'

const counts: string[] = []

/** A volume with one folder and one file. */
const volumeFolder = mkdtempSync(join(tmpdir(), 'nodescope-mounted-'))
mkdirSync(join(volumeFolder, 'there'))
writeFileSync(join(volumeFolder, 'file'), '')
afterAll(() => {
  rmSync(volumeFolder, { recursive: true })
})

const variables = [
  { key: 'NAME', value: 'there' },
  { key: 'EMPTY', value: '' },
] as const

function valueOf<T>(result: Result<T, string>): T | Refusal {
  return result.ok ? result.value : new Refusal(result.error)
}

function base64(data: FileProjection['data']): string {
  return Buffer.from(data).toString('base64')
}

function filesOf(payload: Payload): object {
  return Object.fromEntries(
    [...payload].map(([path, { data, mode }]) => [path, { data: base64(data), mode }]),
  )
}

function payloadOf(result: Result<Payload, string>): unknown {
  return valueOf(result.ok ? { ok: true, value: filesOf(result.value) } : result)
}

const keys = fc.constantFrom('a', 'b.txt', 'c_d', 'e-f')
const namedKeys = fc.constantFrom('a', 'b.txt', 'c_d', 'e-f', 'f', 'g')
const texts = fc.constantFrom('', 'one', 'two\n', '{"a":1}', 'ä€😀')
const bytes = fc.uint8Array({ maxLength: 6 }).map((data) => Buffer.from(data).toString('base64'))
const modes = fc.constantFrom(0o400, 0o440, 0o644, 0o777)
const items = fc.array(
  fc.record(
    { key: namedKeys, path: fc.constantFrom('x', 'y/z', 'y/w', 'deep/er/file'), mode: modes },
    { requiredKeys: ['key', 'path'] },
  ),
  { maxLength: 3 },
)

const objectVolumes = fc.record({
  items,
  defaultMode: modes,
  optional: fc.boolean(),
  object: fc.oneof(
    fc.record({
      configMap: fc.record({
        data: fc.dictionary(keys, texts, { maxKeys: 3 }),
        // The API refuses a key in both.
        binaryData: fc.dictionary(fc.constantFrom('f', 'g'), bytes, { maxKeys: 2 }),
      }),
    }),
    fc.record({ secret: fc.record({ data: fc.dictionary(keys, bytes, { maxKeys: 3 }) }) }),
  ),
})

const quantities = fc.constantFrom('0', '100m', '1', '1500m', '64Mi', '1Gi', '2G')
const resourceLists = fc.dictionary(
  fc.constantFrom('cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi'),
  quantities,
  { maxKeys: 3 },
)
const downwardItems = fc.record(
  {
    path: fc.constantFrom('a', './b', 'c/d', 'c//e'),
    mode: modes,
    source: fc.oneof(
      fc
        .constantFrom(
          'metadata.name',
          'metadata.namespace',
          'metadata.uid',
          'metadata.labels',
          'metadata.annotations',
          "metadata.labels['app']",
          "metadata.labels['none']",
          "metadata.annotations['Example.com/It']",
          "metadata.annotations['a b']",
          "metadata.name['x']",
          'spec.nodeName',
          'status.phase',
        )
        .map((fieldPath) => ({ fieldRef: { fieldPath } })),
      fc
        .record(
          {
            containerName: fc.constantFrom('one', 'two', 'init', 'none'),
            resource: fc.constantFrom(
              'limits.cpu',
              'limits.memory',
              'requests.cpu',
              'requests.memory',
              'limits.ephemeral-storage',
              'requests.hugepages-2Mi',
              'limits.other',
              'cpu',
            ),
            divisor: fc.constantFrom('0', '1', '1m', '1Mi', '1k'),
          },
          { requiredKeys: ['containerName', 'resource'] },
        )
        .map((resourceFieldRef) => ({ resourceFieldRef })),
    ),
  },
  { requiredKeys: ['path', 'source'] },
)

const downwardVolumes = fc.record({
  items: fc
    .array(downwardItems, { maxLength: 3 })
    .map((all) => all.map(({ source, ...item }) => ({ ...item, ...source }))),
  defaultMode: modes,
  allocatable: fc.constant({ cpu: '4', memory: '8Gi', 'ephemeral-storage': '10Gi' }),
  pod: fc
    .record({
      labels: fc.dictionary(fc.constantFrom('app', 'b', 'z/c'), texts, { maxKeys: 3 }),
      annotations: fc.dictionary(fc.constantFrom('example.com/it', 'note'), texts, { maxKeys: 2 }),
      containers: fc.array(fc.record({ limits: resourceLists, requests: resourceLists }), {
        minLength: 3,
        maxLength: 3,
      }),
    })
    .map(({ labels, annotations, containers }): Pod => {
      const [one, two, init] = ['one', 'two', 'init'].map((name, index): Container => {
        const resources = containers[index]
        return { name, image: 'i', ...(resources === undefined ? {} : { resources }) }
      })
      const spec = {
        containers: [one, two].filter((each) => each !== undefined),
        initContainers: init === undefined ? [] : [init],
      }
      return {
        metadata: { name: 'p', namespace: 'n', uid: 'u', labels, annotations },
        spec,
      }
    }),
})

const contents = fc.record({ data: texts.map(base64), mode: modes })

/**
 * Files that a volume is to have one after the other. At most one path is invalid: which of several is told is chance in
 * Go.
 */
const payloads = fc.array(
  fc
    .record({
      valid: fc.dictionary(
        fc.constantFrom('a', 'b', 'c/d', 'c/e', 'c/f/g', './h', 'i..'),
        contents,
        {
          maxKeys: 3,
        },
      ),
      invalid: fc.option(
        fc.tuple(
          fc.constantFrom('..i', '../j', '/k', '', 'l/../m', 'x'.repeat(256), 'y/'.repeat(2050)),
          contents,
        ),
        { freq: 4 },
      ),
    })
    .map(({ valid, invalid }) =>
      invalid === null ? valid : { ...valid, [invalid[0]]: invalid[1] },
    ),
  { minLength: 1, maxLength: 4 },
)

interface Made {
  readonly path: string
  readonly kind: string
  readonly mode: number
  readonly content: string
}

function timeless(text: string): string {
  return text.replaceAll(/\.\.\d{4}_[\d_]+\.\d+/g, '..time')
}

async function listing(folder: string): Promise<readonly Made[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const all = names.map(async (entry): Promise<Made> => {
    const path = join(entry.parentPath, entry.name)
    const stat = await nodeHostFiles.lstat(path)
    const kind = stat.ok ? stat.value.kind : 'none'
    const isLink = kind === 'symlink'
    const content = isLink
      ? await readlink(path)
      : kind === 'file'
        ? await readFile(path, 'utf8')
        : ''
    const mode = isLink || !stat.ok ? 0 : stat.value.mode
    return { path: timeless(relative(folder, path)), kind, mode, content: timeless(content) }
  })
  return sorted(await Promise.all(all))
}

function sorted(files: readonly Made[]): readonly Made[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nodescope-volume-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function ourWrites(values: readonly Readonly<Record<string, { data: string; mode: number }>>[]) {
  return inFolder(async (folder) => {
    const clock = { now: () => Date.UTC(2026, 0, 1) }
    const writer = new AtomicWriter({ files: nodeHostFiles, clock, random: seededRandom(1) })
    const told: { error: string; files: readonly Made[] }[] = []
    for (const value of values) {
      const files = Object.entries(value).map(
        ([path, { data, mode }]) =>
          [path, { data: Buffer.from(data, 'base64').toString(), mode }] as const,
      )
      const written = await writer.write(folder, new Map(files))
      told.push({ error: written.ok ? '' : written.error, files: await listing(folder) })
    }
    return told
  })
}

const mountPaths = fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/bc', '/d', '/a/', '/a/./e')
const nested = fc
  .array(fc.record({ name: fc.constantFrom('v', 'w'), mountPath: mountPaths }), { maxLength: 5 })
  .map((mounts) => ({
    name: 'v',
    pod: {
      metadata: { name: 'p', uid: 'u' },
      spec: { containers: [{ name: 'c', image: 'i', volumeMounts: mounts }] },
    },
  }))

const mountSpecs = fc.record(
  {
    name: fc.constantFrom('data', 'fixed', 'none'),
    mountPath: fc.constantFrom('/data', 'relative', '/etc/hosts'),
    readOnly: fc.boolean(),
    subPath: fc.constantFrom('', 'there', 'file', 'new/folder', '/absolute', '../out'),
    subPathExpr: fc.constantFrom('', '$(NAME)', '$(EMPTY)/$(NONE)', '$$(NAME)', 'x-$(NAME)'),
    mountPropagation: fc.constantFrom('None', 'HostToContainer', 'Bidirectional'),
    recursiveReadOnly: fc.constantFrom('Disabled', 'IfPossible', 'Enabled'),
  },
  { requiredKeys: ['name', 'mountPath'] },
)

const hostPathTypes = [
  '',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
  'CharDevice',
  'BlockDevice',
  'Other',
] as const

await describeOracle(
  {
    name: 'volumes',
    subject: 'volumes',
    title: 'the files of volumes and the mounts of containers, as the kubelet makes them',
    summary: () => counts.join('; '),
  },
  (oracle) => {
    const compare = functionComparisons(oracle, counts)

    compare('files of ConfigMaps and Secrets', {
      ask: 'objectPayload',
      values: objectVolumes,
      asked: ({ object, ...rest }) => ({ ...rest, ...object }),
      ours: ({ object, defaultMode, ...source }) =>
        payloadOf(
          'secret' in object
            ? objectPayload(
                secretData(object.secret),
                source,
                defaultMode,
                (key) => `references non-existent secret key: ${key}`,
              )
            : objectPayload(
                configMapData(object.configMap),
                source,
                defaultMode,
                (key) => `configmap references non-existent config key: ${key}`,
              ),
        ),
      count: 2000,
    })

    compare('files of the downward API', {
      ask: 'downwardPayload',
      values: downwardVolumes,
      ours: (volume) =>
        payloadOf(
          downwardApiPayload(volume.items, volume.pod, volume.allocatable, volume.defaultMode),
        ),
      count: 3000,
    })

    compare('atomic writes', {
      ask: 'writes',
      values: payloads,
      ours: ourWrites,
      theirs: (answer) =>
        (answer as readonly { error: string; files: readonly Made[] }[]).map(
          ({ error, files }) => ({ error, files: sorted(files) }),
        ),
      count: 500,
    })

    compare('nested mounts', {
      ask: 'nested',
      values: nested,
      ours: ({ name, pod }) => nestedMountPoints(name, pod),
      count: 1000,
    })

    compare('types of host paths', {
      ask: 'hostPath',
      values: fc
        .record({
          type: fc.constantFrom(...hostPathTypes),
          path: fc.constantFrom('/etc', '/etc/passwd', '/dev/null', '/dev/fd', '/none/..', '/none'),
        })
        .filter(({ type, path }) => !(type.endsWith('OrCreate') && path.startsWith('/none'))),
      ours: async (source) => {
        const checked = await checkHostPath(source, nodeHostFiles)
        return checked.ok ? null : new Refusal(checked.error)
      },
      count: 300,
    })

    compare('mounts of containers', {
      ask: 'mounts',
      values: fc.array(mountSpecs, { minLength: 1, maxLength: 2 }),
      asked: (mounts) => ({
        container: { name: 'c', volumeMounts: mounts },
        volumes: {
          data: { path: volumeFolder, readOnly: false },
          fixed: { path: volumeFolder, readOnly: true },
        },
        envs: variables.map(({ key, value }) => ({ Name: key, Value: value })),
      }),
      ours: async (mounts) => {
        const volumes = new Map([
          ['data', { path: volumeFolder, isReadOnly: false }],
          ['fixed', { path: volumeFolder, isReadOnly: true }],
        ])
        const container = { name: 'c', volumeMounts: mounts }
        return valueOf(
          await volumeMounts(container, { volumes, envs: variables, files: nodeHostFiles }),
        )
      },
      theirs: (answer) =>
        answer instanceof Refusal
          ? answer
          : (answer as readonly GoMount[]).map((mount) => ({
              containerPath: mount.ContainerPath,
              hostPath: mount.HostPath,
              readonly: mount.ReadOnly,
              propagation: propagations[mount.Propagation],
            })),
      count: 1000,
    })
  },
)

interface GoMount {
  readonly ContainerPath: string
  readonly HostPath: string
  readonly ReadOnly: boolean
  readonly Propagation: number
}

const propagations = [
  'PROPAGATION_PRIVATE',
  'PROPAGATION_HOST_TO_CONTAINER',
  'PROPAGATION_BIDIRECTIONAL',
]
