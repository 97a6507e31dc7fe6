import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildArguments, bringPart } from './build.ts'
import { cachedFile, findPart, kubernetesVersion, partNamed, parts } from './parts.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-parts-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const scheduler = partNamed('kube-scheduler')

/** A program that prints a version. */
async function program(file: string, version: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `#!/bin/sh\necho Kubernetes ${version}\n`)
  await chmod(file, 0o755)
  return file
}

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: join(folder, 'path'), XDG_CACHE_HOME: join(folder, 'cache'), ...more }
}

describe('a part of Kubernetes', () => {
  it('is searched in KUBEBUILDER_ASSETS, then in PATH, then in the build cache', async () => {
    const given = environment({ KUBEBUILDER_ASSETS: join(folder, 'given') })
    expect(await findPart(scheduler, given)).toBeUndefined()
    const built = await program(cachedFile(scheduler, given), 'v1.34.4')
    expect(await findPart(scheduler, given)).toBe(built)
    const inPath = await program(join(folder, 'path', 'kube-scheduler'), 'v1.34.1')
    expect(await findPart(scheduler, given)).toBe(inPath)
    const assets = await program(join(folder, 'given', 'kube-scheduler'), 'v1.34.0')
    expect(await findPart(scheduler, given)).toBe(assets)
  })

  it('is skipped if it has another version or does not run', async () => {
    await program(join(folder, 'path', 'kube-scheduler'), 'v1.33.4')
    const broken = await program(join(folder, 'given', 'kube-scheduler'), 'v1.34.4')
    await writeFile(broken, '#!/bin/sh\nexit 1\n')
    const given = environment({ KUBEBUILDER_ASSETS: join(folder, 'given') })
    expect(await findPart(scheduler, given)).toBeUndefined()
  })

  it('is an older kubectl beside the one that PATH links to', async () => {
    const given = environment()
    const older = partNamed('kubectl-1.29')
    const file = await program(join(folder, 'package', 'kubectl.1.29'), 'v1.29.14')
    await program(join(folder, 'package', 'kubectl'), 'v1.34.4')
    await mkdir(join(folder, 'path'))
    expect(await findPart(older, given)).not.toBe(file)
    await symlink(join(folder, 'package', 'kubectl'), join(folder, 'path', 'kubectl'))
    expect(await findPart(older, given)).toBe(file)
  })

  it('is not built again if it exists', async () => {
    const file = await program(join(folder, 'path', 'kube-scheduler'), 'v1.34.4')
    const said: string[] = []
    const options = { environment: environment(), say: (text: string) => said.push(text) }
    expect(await bringPart(scheduler, options)).toBe(file)
    expect(said).toEqual([`kube-scheduler: ${file} is there.`])
  })

  it('cannot be built without Go, with a message about how to get Go', async () => {
    const said: string[] = []
    const options = { environment: environment(), say: (text: string) => said.push(text) }
    expect(await bringPart(scheduler, options)).toBeUndefined()
    expect(said).toEqual([expect.stringMatching(/^Go is not here: install Go 1\.25 or newer/)])
  })

  it('is built with its version', () => {
    const flags = buildArguments(scheduler, '/target').join(' ')
    expect(flags).toContain('-X k8s.io/component-base/version.gitVersion=v1.34.4 ')
    expect(flags).toContain('-X k8s.io/client-go/pkg/version.gitMinor=34 ')
    expect(flags).toMatch(/ -o \/target k8s\.io\/kubernetes\/cmd\/kube-scheduler$/)
  })
})

it.each(parts.filter((part) => !part.package.startsWith('./')))(
  '$name has the pinned version in its go.mod',
  async (part) => {
    const text = await readFile(join(import.meta.dirname, part.module, 'go.mod'), 'utf8')
    const module = part.package.split('/cmd/', 1)[0] ?? ''
    expect(text).toContain(`require ${module} ${part.version}\n`)
  },
)

it('every staging module has the version of Kubernetes', async () => {
  const text = await readFile(join(import.meta.dirname, 'go.mod'), 'utf8')
  const staging = text.match(/=> k8s\.io\/.*/g) ?? []
  expect(staging).toHaveLength(31)
  const version = kubernetesVersion.replace('v1', 'v0')
  expect(staging.filter((line) => !line.endsWith(` ${version}`))).toEqual([])
})
