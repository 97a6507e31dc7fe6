import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { cachedFile, findPart, hasFittingVersion, partNamed, type Part } from './parts.ts'

const modules = resolve(import.meta.dirname)

/** Build options, and the receiver of messages. */
export interface BuildOptions {
  readonly environment: NodeJS.ProcessEnv
  /** One sentence. */
  readonly say: (sentence: string) => void
}

/** The exit of a program. */
export interface Ended {
  readonly code: number | null
  /** The end of its output. */
  readonly output: string
}

const keptOutput = 4000

function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
): Promise<Ended> {
  return new Promise((done) => {
    let output = ''
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-keptOutput)
      })
    }
    child.once('error', (error) => {
      done({ code: null, output: error.message })
    })
    child.once('close', (code) => {
      done({ code, output: output.trim() })
    })
  })
}

const versionPackages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']

/** Without a version the programs report v0.0.0 and refuse each other. */
function linkerFlags(version: string): string {
  const [major = '', minor = ''] = version.slice(1).split('.')
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: 'clean',
    gitCommit: '0'.repeat(40),
    buildDate: '1970-01-01T00:00:00Z',
  }
  const settings = versionPackages.flatMap((name) =>
    Object.entries(values).map(([key, value]) => `-X ${name}.${key}=${value}`),
  )
  return ['-s', '-w', ...settings].join(' ')
}

/** The arguments of `go build`. */
export function buildArguments(part: Part, target: string): readonly string[] {
  const isKubernetes = part.package.startsWith('k8s.io/')
  const flags = isKubernetes ? linkerFlags(part.version) : '-s -w'
  return ['build', '-trimpath', '-ldflags', flags, '-o', target, part.package]
}

function goEnvironment(environment: NodeJS.ProcessEnv, needsC: boolean): NodeJS.ProcessEnv {
  return {
    ...environment,
    CGO_ENABLED: needsC ? '1' : '0',
    GOTOOLCHAIN: 'local',
    // Ignores a go.work above the tree.
    GOWORK: 'off',
    GOFLAGS: [environment['GOFLAGS'] ?? '', '-buildvcs=false'].join(' ').trim(),
  }
}

/** Runs `go` without C. Code `null`: it could not be started. */
export function runGo(
  args: readonly string[],
  options: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
): Promise<Ended> {
  const environment = goEnvironment(options.environment, false)
  return run('go', args, { cwd: options.cwd, environment })
}

async function goVersion(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { code, output } = await runGo(['env', 'GOVERSION'], { cwd: modules, environment })
  return code === 0 ? output : undefined
}

/** The message if Go is missing. */
export const noGo =
  'Go is not here: install Go 1.25 or newer (https://go.dev/dl) and put it in the PATH, or name a folder with the programs in KUBEBUILDER_ASSETS.'

/** Debian's package, unpacked without an installation: needs no root and starts no service. */
async function etcdOfDebian(target: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const folder = await mkdtemp(join(dirname(target), 'debian-'))
  try {
    const options = { cwd: folder, environment }
    const steps = ['apt-get download etcd-server', 'dpkg-deb -x etcd-server_*.deb .']
    for (const step of steps) {
      if ((await run('sh', ['-c', step], options)).code !== 0) return false
    }
    const file = join(folder, 'usr', 'bin', 'etcd')
    if (!(await hasFittingVersion(partNamed('etcd'), file))) return false
    await rename(file, target)
    return true
  } catch {
    // No Debian, or a package of another shape: it is built instead.
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function compile(part: Part, target: string, options: BuildOptions): Promise<boolean> {
  const { environment, say } = options
  const version = await goVersion(environment)
  if (version === undefined) {
    say(noGo)
    return false
  }
  say(`${part.name} ${part.version}: being built with ${version} into ${target}.`)
  // Built next to the target and then renamed, so that an aborted build leaves no incomplete target.
  const unfinished = `${target}.unfinished`
  const { code, output } = await run('go', buildArguments(part, unfinished), {
    cwd: join(modules, part.module),
    environment: goEnvironment(environment, part.needsC),
  })
  if (code !== 0) {
    say(`${part.name} could not be built:\n${output}`)
    return false
  }
  await rename(unfinished, target)
  return true
}

/** Builds one part unless it exists; returns its file, or `undefined` if it cannot be built. */
export async function bringPart(part: Part, options: BuildOptions): Promise<string | undefined> {
  const { environment, say } = options
  const there = await findPart(part, environment)
  if (there !== undefined) {
    say(`${part.name}: ${there} is there.`)
    return there
  }
  const started = performance.now()
  const target = cachedFile(part, environment)
  await mkdir(dirname(target), { recursive: true })
  const isFromDebian = part.name === 'etcd' && (await etcdOfDebian(target, environment))
  if (!isFromDebian && !(await compile(part, target, options))) return undefined
  const seconds = Math.round((performance.now() - started) / 1000)
  say(
    isFromDebian
      ? `${part.name}: taken from Debian’s package in ${seconds} s.`
      : `${part.name} ${part.version}: built in ${seconds} s.`,
  )
  return target
}
