import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { readKubeconfig } from '../../../src/main/cluster/kubeconfig/kubeconfig-sources.ts'
import { reportComparison, reportMissing } from '../comparison.ts'
import { findParts } from '../control-plane.ts'
import { writeKubeconfigs } from './random-kubeconfigs.ts'

// Several kubeconfigs of $KUBECONFIG, merged by this program and by kubectl.

const found = await findParts(['kubectl'], process.env)
const cases = 200
const lists = [
  ['contexts', 'context'],
  ['clusters', 'cluster'],
  ['users', 'user'],
] as const

interface Printed {
  readonly isRefused: boolean
  readonly config: JsonObject
  readonly stderr: string
}

async function kubectlView(paths: readonly string[], flags: readonly string[]): Promise<Printed> {
  const file = 'missing' in found ? '' : (found.files.get('kubectl') ?? '')
  const env = { KUBECONFIG: paths.join(delimiter), HOME: '/nonexistent', PATH: process.env['PATH'] }
  const args = ['config', 'view', '--raw', '-o', 'json', ...flags]
  return await new Promise((resolve) => {
    execFile(file, args, { env }, (error, stdout, stderr) => {
      const parsed: unknown = error === null ? JSON.parse(stdout) : {}
      resolve({ isRefused: error !== null, config: isJsonObject(parsed) ? parsed : {}, stderr })
    })
  })
}

/** Without what Go leaves out or fills in. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(written)
  if (!isJsonObject(value))
    return value === '' || value === false || value === null ? undefined : value
  const fields = Object.entries(value)
    .map(([name, field]) => [name, written(field)] as const)
    .filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields)
}

/** The entries of each list by name, and the current context. */
function comparable(config: JsonObject, change: (entry: JsonObject) => JsonObject): JsonObject {
  const ofLists = lists.map(([list, field]): [string, unknown] => [
    list,
    Object.fromEntries(
      objectsAt(config, list).map((entry) => [
        textAt(entry, 'name'),
        written(change(objectAt(entry, field))),
      ]),
    ),
  ])
  return Object.fromEntries([...ofLists, ['current-context', textAt(config, 'current-context')]])
}

const pathFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile']

/** Files as `--flatten` writes them: their content instead of their path. */
async function flattened(config: JsonObject): Promise<JsonObject> {
  const flat = async (entry: JsonObject): Promise<JsonObject> => {
    const fields = Object.entries(entry).map(async ([name, value]) =>
      pathFields.slice(0, 3).includes(name)
        ? [`${name}-data`, Buffer.from(await readFile(String(value))).toString('base64')]
        : [name, value],
    )
    return Object.fromEntries(await Promise.all(fields)) as JsonObject
  }
  const ofLists = lists.map(async ([list, field]) => [
    list,
    await Promise.all(
      objectsAt(config, list).map(async (entry) => ({
        ...entry,
        [field]: await flat(objectAt(entry, field)),
      })),
    ),
  ])
  return { ...config, ...Object.fromEntries(await Promise.all(ofLists)) } as JsonObject
}

/** kubectl prints paths as they are written; a command with a separator is one. */
function withoutFolders(entry: JsonObject): JsonObject {
  const base = (path: unknown): unknown =>
    typeof path === 'string' && path.includes('/') ? path.split('/').at(-1) : path
  const exec = objectAt(entry, 'exec')
  return {
    ...entry,
    ...Object.fromEntries(
      pathFields.filter((name) => name in entry).map((name) => [name, base(entry[name])]),
    ),
    ...('exec' in entry ? { exec: { ...exec, command: base(exec['command']) } } : {}),
  }
}

describe.skipIf('missing' in found)('$KUBECONFIG with several files', () => {
  let folder = ''
  const totals = { same: 0, refused: 0 }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodescope-kubeconfigs-'))
  })

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    reportComparison(
      'kubeconfigs',
      `${totals.same} random sets of kubeconfigs are merged as by kubectl, ${totals.refused} are refused by both`,
    )
  })

  it.concurrent.each(Array.from({ length: cases }, (_, seed) => seed))(
    'is merged as kubectl merges it (%i)',
    async (seed) => {
      const { paths } = await writeKubeconfigs(seededRandom(seed), join(folder, String(seed)))
      const theirs = await kubectlView(paths, ['--flatten=false'])
      const ours = await readKubeconfig(
        { kind: 'environment' },
        { environment: { KUBECONFIG: paths.join(delimiter) } },
      )
      const shown = `${theirs.stderr}\n${JSON.stringify(ours)}`
      // For kubectl one file that does not exist is an empty kubeconfig.
      const isNone = textAt(theirs.config, 'current-context') === '' && new Set(paths).size === 1
      expect(ours.ok || isNone, shown).toBe(!theirs.isRefused)
      if (!ours.ok) {
        totals.refused++
        return
      }
      const { config } = ours.value
      expect(comparable(config, withoutFolders)).toEqual(comparable(theirs.config, withoutFolders))
      for (const [list, field] of lists)
        for (const entry of objectsAt(config, list))
          for (const name of pathFields) {
            const path = textAt(objectAt(entry, field), name)
            expect(path === '' || isAbsolute(path)).toBe(true)
          }
      const flat = await kubectlView(paths, ['--flatten'])
      expect(flat.isRefused, flat.stderr).toBe(false)
      const own = withoutFolders
      expect(comparable(await flattened(config), own)).toEqual(comparable(flat.config, own))
      for (const user of objectsAt(config, 'users')) {
        const { exec, tokenFile } = objectAt(user, 'user')
        const command = isJsonObject(exec) ? textAt(exec, 'command') : ''
        if (command.includes('/')) expect(isAbsolute(command)).toBe(true)
        if (typeof tokenFile === 'string') await readFile(tokenFile)
        expect(dirname(command).startsWith(folder) || !command.includes(folder)).toBe(true)
      }
      totals.same++
    },
  )
})

if ('missing' in found) reportMissing('kubeconfigs', found.missing)
