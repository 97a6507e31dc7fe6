import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import type { Random } from '../../../src/main/kubelet/ports.ts'

/** What is written to disk for one case. */
export interface KubeconfigSet {
  /** Absolute; as KUBECONFIG names them. Some do not exist. */
  readonly paths: readonly string[]
}

const names = ['a', 'b', 'c', '']
const folders = ['', 'one', 'one/two']

/** Draws from one stream. */
class Draw {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  below(limit: number): number {
    return Math.floor(this.#random.next() * limit)
  }

  oneOf<T>(values: readonly [T, ...T[]] | readonly T[]): T {
    return values[this.below(values.length)] as T
  }

  /** One time of so many. */
  once(of: number): boolean {
    return this.below(of) === 0
  }

  /** Different ones, rarely with one twice. */
  names(): readonly string[] {
    const chosen = names.slice(0, 3).filter(() => this.once(2))
    if (this.once(25)) chosen.push(this.oneOf(names))
    return chosen
  }
}

/** A path of a file that is there; relative to its kubeconfig, absolute, or above it. */
function pathOf(draw: Draw, folder: string): string {
  const file = `${draw.oneOf(['x', 'y', 'z'])}.pem`
  return draw.oneOf([file, `./${file}`, `certs/${file}`, `certs/../${file}`, join(folder, file)])
}

/** `value` where it has its usual type, rarely something else that YAML makes of an unquoted text. */
function usually(draw: Draw, value: string): unknown {
  return draw.once(150) ? draw.oneOf([7, true, ['x'], null]) : value
}

function clusterOf(draw: Draw, mark: string, folder: string): object | null {
  if (draw.once(40)) return null
  return {
    server: usually(draw, `https://${mark}`),
    ...(draw.once(2) ? { 'certificate-authority': pathOf(draw, folder) } : {}),
    ...(draw.once(5) ? { 'tls-server-name': mark } : {}),
    ...(draw.once(8) ? { 'insecure-skip-tls-verify': true } : {}),
    ...(draw.once(8) ? { 'proxy-url': `http://${mark}` } : {}),
  }
}

function userOf(draw: Draw, mark: string, folder: string): object | null {
  if (draw.once(40)) return null
  const certificate = draw.once(3)
    ? { 'client-certificate': pathOf(draw, folder), 'client-key': pathOf(draw, folder) }
    : {}
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
    command: draw.oneOf(['plugin', './plugin', 'bin/plugin', '../plugin', '/bin/plugin']),
    args: [mark],
    env: [{ name: 'MARK', value: usually(draw, mark) }],
  }
  return {
    ...certificate,
    token: usually(draw, mark),
    ...(draw.once(4) ? { tokenFile: pathOf(draw, folder) } : {}),
    ...(draw.once(4) ? { as: mark, 'as-groups': [mark, 'g'] } : {}),
    ...(draw.once(3) ? { exec } : {}),
  }
}

function contextOf(draw: Draw, mark: string): object {
  return {
    cluster: draw.oneOf(names),
    user: draw.oneOf(names),
    ...(draw.once(2) ? { namespace: usually(draw, mark) } : {}),
  }
}

function textOf(draw: Draw, mark: string, folder: string): string {
  if (draw.once(40)) return draw.oneOf(['', '# nothing\n', '{}', 'contexts: [', 'a: b: c', '- 1'])
  const list = (field: string, valueOf: (mark: string) => object | null): object[] =>
    draw.names().map((name) => ({ name, [field]: valueOf(`${mark}-${name}`) }))
  return stringify({
    ...(draw.once(2) ? { apiVersion: draw.once(60) ? 'v2' : 'v1', kind: 'Config' } : {}),
    ...(draw.once(2) ? { 'current-context': draw.oneOf(names) } : {}),
    contexts: list('context', (named) => contextOf(draw, named)),
    ...(draw.once(6)
      ? {}
      : { clusters: list('cluster', (named) => clusterOf(draw, named, folder)) }),
    users: list('user', (named) => userOf(draw, named, folder)),
  })
}

/** Writes 2 to 4 kubeconfigs in a folder, with the files that they name. The content of each of these is its path. */
export async function writeKubeconfigs(random: Random, folder: string): Promise<KubeconfigSet> {
  const draw = new Draw(random)
  const paths: string[] = []
  for (const below of folders.flatMap((one) => [one, join(one, 'certs')])) {
    await mkdir(join(folder, below), { recursive: true })
    for (const file of ['x.pem', 'y.pem', 'z.pem'])
      await writeFile(join(folder, below, file), join(folder, below, file))
  }
  const count = 2 + draw.below(3)
  for (let index = 0; index < count; index++) {
    if (index > 0 && draw.once(12)) {
      paths.push(draw.oneOf(paths))
      continue
    }
    const path = join(folder, draw.oneOf(folders), `config-${index}`)
    paths.push(path)
    if (!draw.once(8)) await writeFile(path, textOf(draw, `file-${index}`, dirname(path)))
  }
  return { paths }
}
